"""What is in the package, and what it asks for."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

# The same everywhere the folder is loaded: who sets policies for a company's browsers names it.
ID = "gohdfeehoeeckakibclmjbamhkoinpoo"


@pytest.fixture
def folder(built: Path) -> Path:
    return built / "circuy-extension"


@pytest.fixture
def manifest(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return read


def test_an_install_asks_for_no_site(manifest):
    assert manifest["permissions"] == ["activeTab", "scripting", "storage"]
    assert manifest["optional_host_permissions"] == ["https://*/*", "http://*/*"]
    for reach in ("host_permissions", "content_scripts", "web_accessible_resources", "externally_connectable"):
        assert reach not in manifest


def test_its_pages_run_its_own_code_only(manifest, folder):
    policy = manifest["content_security_policy"]["extension_pages"]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert "unsafe" not in policy
    for page in folder.glob("*.html"):
        assert re.findall(r'<script[^>]*>|style="|\son\w+=', page.read_text()) == [
            f'<script src="{page.stem}.js" defer>'
        ]
    for script in folder.glob("*.js"):
        code = script.read_text(encoding="utf-8")
        assert re.search(r"\beval\(|new Function\(|\bimport\(|importScripts", code) is None


def test_it_has_the_same_id_on_every_machine(manifest):
    digest = hashlib.sha256(b64decode(manifest["key"])).hexdigest()[:32]
    assert "".join(chr(ord("a") + int(nibble, 16)) for nibble in digest) == ID


def test_the_zip_file_is_the_folder_without_the_key(built, folder, manifest):
    (archive,) = built.glob("circuy-extension-*.zip")
    assert archive.stem == f"circuy-extension-{manifest['version']}"
    with zipfile.ZipFile(archive) as opened:
        assert opened.testzip() is None
        packed = {name: opened.read(name) for name in opened.namelist()}
    assert json.loads(packed.pop("manifest.json")) == {k: v for k, v in manifest.items() if k != "key"}
    files = {path for path in folder.rglob("*") if path.is_file() and path.name != "manifest.json"}
    assert packed == {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_each_sentence_is_said_in_both_languages(folder):
    french, english = (
        json.loads((folder / "_locales" / language / "messages.json").read_text(encoding="utf-8"))
        for language in ("fr", "en")
    )
    assert french.keys() == english.keys()
    for name in french:
        holes = [re.findall(r"\{\w+\}", entries[name]["message"]) for entries in (french, english)]
        assert sorted(holes[0]) == sorted(holes[1]), name

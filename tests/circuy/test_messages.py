"""Everything that people read exists in French, and the compiled file is the one of the sources."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(settings.BASE_DIR)
FRENCH = ROOT / "locale" / "fr" / "LC_MESSAGES"
ROOMS = ("organizations", "engine", "moderation", "skills", "tours", "shadow", "circuy")
CALLS = {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy"}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]")


@pytest.fixture(scope="module")
def french() -> polib.POFile:
    return polib.pofile(str(FRENCH / "django.po"))


def messages_of_python(file: Path) -> Iterator[str]:
    for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(call, ast.Call):
            continue
        name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
        position = 1 if name.startswith("pgettext") else 0
        if name in CALLS and len(call.args) > position:
            message = call.args[position]
            if isinstance(message, ast.Constant) and isinstance(message.value, str):
                yield message.value


def messages_of_template(file: Path) -> Iterator[str]:
    source = templatize(file.read_text(encoding="utf-8"), origin=str(file))
    for match in re.finditer(r"""\b(?:_|gettext|ngettext)\(\s*u?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", source):
        yield ast.literal_eval(match[1])


def test_every_message_of_the_sources_is_in_the_french_file(french):
    known = {entry.msgid for entry in french}
    used: dict[str, str] = {}
    for room in ROOMS:
        for file in (ROOT / room).rglob("*.py"):
            used.update(dict.fromkeys(messages_of_python(file), str(file.relative_to(ROOT))))
    for file in (ROOT / "templates").rglob("*.html"):
        used.update(dict.fromkeys(messages_of_template(file), str(file.relative_to(ROOT))))
    # Django's own catalogue has the few words that its admin shares with ours.
    missing = {message: file for message, file in used.items() if message not in known}
    assert len(used) > 300
    assert missing == {}


def test_every_message_is_translated_and_keeps_its_placeholders(french):
    for entry in french:
        assert not entry.fuzzy, entry.msgid
        translations = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
        assert all(translations), entry.msgid
        wanted = set(PLACEHOLDER.findall(entry.msgid_plural or entry.msgid))
        for translation in translations:
            unknown = set(PLACEHOLDER.findall(translation)) - wanted - set(PLACEHOLDER.findall(entry.msgid))
            assert not unknown, entry.msgid


def test_the_compiled_file_is_that_of_the_sources(french):
    compiled = polib.mofile(str(FRENCH / "django.mo"))

    def content(file: polib.POFile | polib.MOFile) -> set[tuple[str, ...]]:
        return {(entry.msgctxt or "", entry.msgid, entry.msgstr, *entry.msgstr_plural.values()) for entry in file}

    assert content(compiled) == content(french)

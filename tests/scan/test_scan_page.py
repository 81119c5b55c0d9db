"""`make scan`: what it prints, what it draws, and what it says when there is nothing to scan."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = """<!doctype html><html lang=fr><meta charset=utf-8><title>Facture</title><body>
<h1>Facture</h1><form aria-label=Facture><label>Remise <input name=remise value=17></label>
<button>Créer</button></form><details><summary>Plus</summary><button>Exporter</button></details>
%s<a href=/aide>Aide</a></body></html>""" % ("<br>" * 200)


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "scripts/scan_page.py", *arguments]
    variables = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", **environment}  # noqa: S108 - Chromium's own
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


@pytest.mark.parametrize("how", ["file", "address"])
def test_a_page_is_printed_and_pictured_from_top_to_bottom(tmp_path, site, how):
    file = tmp_path / "facture.html"
    file.write_text(PAGE, encoding="utf-8")
    # A policy that would keep any script out.
    site.put("/facture.html", PAGE, **{"Content-Security-Policy": "default-src 'none'; sandbox allow-scripts"})
    done = run(str(file) if how == "file" else f"{site.url}/facture.html", "--out", str(tmp_path / "made" / "here"))
    assert done.returncode == 0, done.stderr
    payload = json.loads(done.stdout)
    assert (payload["urlPattern"], payload["pageTitle"]) == ("/facture.html", "Facture")
    labels = [node["label"] for node in payload["nodes"]]
    assert labels == ["Facture", "Facture", "Remise", "Créer", "Plus", "Exporter", "Aide"]
    table = done.stderr.splitlines()
    assert table[0].split() == ["id", "kind", "name", "state", "selector"]
    assert table[3].split()[:3] == ["n3", "field", "Remise"]
    assert "closed by 5" in table[6]
    width, height = size_of((tmp_path / "made" / "here" / "scan.png").read_bytes())
    assert width > 1_280
    assert height > 2_500


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("", "which page?"),
        ("nothing-here.html", "is no file here"),
        ("ftp://example.com/x", "only http and https"),
        ("https://", "names no host"),
        ("http://[::1", "is no address"),
        ("http://nobody.invalid/", "cannot be opened"),
    ],
)
def test_what_cannot_be_scanned_is_said_in_one_line(tmp_path, page, said):
    done = run(page, "--out", str(tmp_path))
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("make scan: ")
    assert said in line


def test_a_page_that_the_server_does_not_have_is_not_scanned(tmp_path, site):
    done = run(f"{site.url}/not-there", "--out", str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert "answered 404" in done.stderr


def test_a_machine_without_chromium_is_told_what_to_install(tmp_path):
    file = tmp_path / "page.html"
    file.write_text(PAGE, encoding="utf-8")
    done = run(str(file), "--out", str(tmp_path), CHROMIUM=str(tmp_path / "chromium"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "no Chromium here" in done.stderr

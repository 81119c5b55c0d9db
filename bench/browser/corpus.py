"""The pages to measure on. They are not part of this repository: `CORPUS` says where they are."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.browser.table import say

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("CORPUS", ROOT.parent / "shared" / "corpus")).resolve()
QUESTIONS = CORPUS / "questions"
VERSIONS = CORPUS / "versions"


@dataclass(frozen=True)
class SavedPage:
    """A page in a file, and what to call it in a table."""

    name: str
    file: Path

    @property
    def url(self) -> str:
        return self.file.as_uri()


def need_corpus(bench: str) -> None:
    """Leave with one line, and no error, when the pages are not on this machine."""
    if not (QUESTIONS / "interactive.json").is_file() or not VERSIONS.is_dir():
        say(f"{bench}: skipped, no pages at {CORPUS}: set CORPUS to the folder that holds questions/ and versions/")
        say('{"skipped": true}')
        sys.exit(0)


def question_pages() -> list[SavedPage]:
    """The pages that questions were asked about; their names are the keys of `interactive.json`."""
    return [SavedPage(str(file.relative_to(QUESTIONS)), file) for file in sorted(QUESTIONS.glob("pages/*/*.html"))]


def version_pages(release: str) -> list[SavedPage]:
    """The pages of one release of one application, named by their path in it."""
    folder = VERSIONS / release
    return [SavedPage(str(file.relative_to(folder)), file) for file in sorted(folder.rglob("*.html"))]


def releases() -> list[str]:
    return sorted(folder.name for folder in VERSIONS.iterdir() if folder.is_dir())

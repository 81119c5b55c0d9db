"""The one small port that every language provider fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from engine.types import AnswerDraft, Locale, Page, Rejected, Scan, SkillProposal


class LanguageProvider(Protocol):
    """Turns scans into skills and questions into answers. Raises `engine.errors.EngineError` and nothing else."""

    def propose_skill(self, scan: Scan, *, locale: Locale) -> SkillProposal:
        """Name what users can do on the page, in `locale`. Every selector in the result is one of the scan's."""
        ...

    def answer(
        self,
        question: str,
        page: Page,
        *,
        locale: Locale,
        page_title: str = "",
        avoid: Sequence[Rejected] = (),
    ) -> AnswerDraft:
        """Answer in `locale` with steps on the page's intents; no steps when nothing on the page fits.

        `avoid` lists the plans that reviewers rejected for this question; none of them comes back.
        """
        ...

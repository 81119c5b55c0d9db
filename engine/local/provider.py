"""The local provider: answers in milliseconds, always the same way, without a network."""

from __future__ import annotations

from collections.abc import Sequence

from engine.local import learning
from engine.local.planning import Draft, draft_plan
from engine.local.writing import short_title, write_step
from engine.types import AnswerDraft, Locale, Page, Rejected, Scan, SkillProposal, StepDraft


class LocalProvider:
    """Fills `engine.ports.LanguageProvider` from the lexicon and the page's own words."""

    def propose_skill(self, scan: Scan, *, locale: Locale) -> SkillProposal:
        return learning.propose_skill(scan, locale=locale)

    def answer(
        self,
        question: str,
        page: Page,
        *,
        locale: Locale,
        page_title: str = "",  # noqa: ARG002 - the port's signature; the page's own name says enough here
        avoid: Sequence[Rejected] = (),
    ) -> AnswerDraft:
        draft = draft_plan(question, page, avoid={one.intent_ids for one in avoid})
        steps = write_steps(draft, page, locale)
        title = ""
        if draft.main:
            ticked = draft.ticks.get(draft.main.intent_id)
            worded = short_title(draft.main, locale=locale, page_locale=page.locale, ticked=ticked)
            # The learnt goal of a box is to tick it.
            title = draft.main.user_goal if locale == page.locale and ticked is not False else worded
        return AnswerDraft(
            title,
            steps,
            provider="local",
            model="",
            prompt_version=learning.PROMPT_VERSION,
            choices=draft.plan.choices,
        )


def write_steps(draft: Draft, page: Page, locale: Locale) -> tuple[StepDraft, ...]:
    """Write the steps of a plan in the asker's language."""
    steps: list[StepDraft] = []
    for index, intent in enumerate(draft.intents):
        following = draft.intents[index + 1] if index + 1 < len(draft.intents) else None
        steps.append(
            write_step(
                intent,
                locale=locale,
                page_locale=page.locale,
                opens_next=following is not None and following.element.opener == intent.selector,
                last_of_many=following is None and index > 0,
                choice=draft.choices.get(intent.intent_id, ""),
                ticked=draft.ticks.get(intent.intent_id),
            )
        )
    return tuple(steps)

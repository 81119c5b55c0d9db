"""The provider for large models: it shows them goals under short ids and lets only those ids come back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.deadline import Deadline
from engine.errors import EngineError
from engine.hedging import OnStep
from engine.prompts import prompt_version
from engine.remote import goals
from engine.remote.client import Completion, Meter, complete
from engine.remote.prompting import AnswerPrompt, answer_prompt
from engine.remote.protocols import Asked, Message
from engine.remote.reading import GrowingAnswer, read_answer
from engine.types import AnswerDraft, EngineConfig, Locale, Page, Rejected, Scan, SkillProposal

__all__ = ["AnswerPrompt", "RemoteProvider", "answer_prompt", "read_answer"]

ANSWER_TOKENS = 600
ATTEMPTS = 2
_REPEATED_LENGTH = 2000


@dataclass(frozen=True, slots=True)
class RemoteProvider:
    """Fills `engine.ports.LanguageProvider` by asking the server that `config` names.

    `meter` counts the tokens of every call, also when there is no answer in the end. `on_step` hears each step as
    the model closes it; the answer that comes in the end is what counts.
    """

    config: EngineConfig
    meter: Meter = field(default_factory=Meter)
    on_step: OnStep | None = None

    def answer(
        self,
        question: str,
        page: Page,
        *,
        locale: Locale,
        page_title: str = "",
        avoid: Sequence[Rejected] = (),
    ) -> AnswerDraft:
        """Answer with the model's steps. An answer that breaks the rules is sent back once with what is wrong."""
        prompt = answer_prompt(question, page, locale=locale, page_title=page_title, avoid=avoid)
        if not prompt.by_short_id:
            return AnswerDraft("", (), "openai", self.config.model, prompt_version("answer", locale))
        deadline = Deadline(self.config.timeout_s)
        messages = [Message(**message) for message in prompt.messages]
        growing = None
        if self.on_step is not None:
            growing = GrowingAnswer(prompt, page, locale=locale, avoid=avoid, on_step=self.on_step)
        wrong = ""
        for _ in range(ATTEMPTS):
            asked = Asked(self.config.model, messages, "circuy_steps", prompt.schema, ANSWER_TOKENS)
            listen = growing.listen if growing is not None else None
            completion = complete(self.config, asked, deadline=deadline, meter=self.meter, listen=listen)
            answer, wrong = read_answer(completion.data, prompt, page, locale=locale, avoid=avoid)
            if answer is not None:
                return replace(answer, model=completion.model, usage=self.meter.total)
            messages = [*messages, *_repair(completion, wrong)]
        raise EngineError("provider_invalid", wrong)

    def propose_skill(self, scan: Scan, *, locale: Locale) -> SkillProposal:
        """Let the model word the goals of what the scan holds. What it forgets keeps the local wording."""
        return goals.propose_skill(scan, locale=locale, config=self.config, meter=self.meter)


def _repair(completion: Completion, wrong: str) -> list[Message]:
    said = completion.text if completion.data is None else json.dumps(completion.data, ensure_ascii=False)
    return [
        Message("assistant", said[:_REPEATED_LENGTH]),
        Message("user", f"Invalid: {wrong}. Answer again, same format."),
    ]

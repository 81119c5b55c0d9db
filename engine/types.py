"""The values that go in and out of the engine. All are immutable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

Locale = Literal["fr", "en"]
ActionType = Literal["click", "input", "select", "check", "submit", "navigate"]
ProviderName = Literal["local", "openai"]

# Numbers in what an intent or a question means, in any trained space.
MEANING_DIMENSIONS = 128
ACTION_TYPES: tuple[ActionType, ...] = ("click", "input", "select", "check", "submit", "navigate")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list | tuple) else ()


@dataclass(frozen=True, slots=True)
class ElementContext:
    """What the page says about an element: its own name, and what stands around it.

    `column` is the header of the table column that its cell is in; `landmark` the part of the page (`navigation`,
    `main`, `search`); `opener` is the selector of the control that
    reveals the element when `closed`; `position` is its rank in document order.
    """

    tag: str
    type: str = ""
    role: str = ""
    label: str = ""
    placeholder: str = ""
    name: str = ""
    heading: str = ""
    form: str = ""
    group: str = ""
    row: str = ""
    column: str = ""
    landmark: str = ""
    options: tuple[str, ...] = ()
    required: bool = False
    closed: bool = False
    opener: str = ""
    position: int = 0

    def to_json(self) -> dict[str, Any]:
        """Give a JSON-ready dict without the values that are their defaults (`tag` always stays)."""
        data: dict[str, Any] = {"tag": self.tag}
        for spec in fields(self)[1:]:
            value = getattr(self, spec.name)
            if value != spec.default:
                data[spec.name] = list(value) if isinstance(value, tuple) else value
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ElementContext:
        """Read what `to_json` gave; unknown keys and values of a wrong type are ignored."""
        position = data.get("position")
        return cls(
            tag=_text(data.get("tag")),
            type=_text(data.get("type")),
            role=_text(data.get("role")),
            label=_text(data.get("label")),
            placeholder=_text(data.get("placeholder")),
            name=_text(data.get("name")),
            heading=_text(data.get("heading")),
            form=_text(data.get("form")),
            group=_text(data.get("group")),
            row=_text(data.get("row")),
            column=_text(data.get("column")),
            landmark=_text(data.get("landmark")),
            options=_texts(data.get("options")),
            required=data.get("required") is True,
            closed=data.get("closed") is True,
            opener=_text(data.get("opener")),
            position=position if isinstance(position, int) else 0,
        )


@dataclass(frozen=True, slots=True)
class Intent:
    """One thing a user can do on a page, and the element that does it.

    `fingerprint` is what the scanner noted of the element so that a guide recognises it; the engine only hands it on.
    """

    intent_id: str
    user_goal: str
    selector: str
    fallback_selector: str
    action_type: ActionType
    element: ElementContext
    synonyms: tuple[str, ...] = ()
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class ScanNode:
    """One node of a page scan, as the SDK sends it."""

    id: str
    tag: str
    selector: str
    fallback_selector: str = ""
    type: str = ""
    label: str = ""
    placeholder: str = ""
    role: str = ""
    name: str = ""
    is_interactive: bool = True
    options: tuple[str, ...] = ()
    heading: str = ""
    form: str = ""
    group: str = ""
    row: str = ""
    column: str = ""
    landmark: str = ""
    closed: bool = False
    opener: str = ""
    disabled: bool = False
    required: bool = False
    checked: bool = False
    fingerprint: str = ""

    @classmethod
    def from_wire(cls, data: Mapping[str, Any]) -> ScanNode:
        """Read one `A11yNode`; a missing or mistyped value becomes its default."""
        context = data.get("context")
        context = context if isinstance(context, Mapping) else {}
        state = data.get("state")
        state = state if isinstance(state, Mapping) else {}
        return cls(
            id=_text(data.get("id")),
            tag=_text(data.get("tag")).lower(),
            selector=_text(data.get("selector")),
            fallback_selector=_text(data.get("fallbackSelector")),
            type=_text(data.get("type")).lower(),
            label=_text(data.get("label")),
            placeholder=_text(data.get("placeholder")),
            role=_text(data.get("role")).lower(),
            name=_text(data.get("name")),
            is_interactive=data.get("isInteractive") is True,
            options=_texts(data.get("options")),
            heading=_text(context.get("heading")),
            form=_text(context.get("form")),
            group=_text(context.get("group")),
            row=_text(context.get("row")),
            column=_text(context.get("column")),
            landmark=_text(context.get("landmark")),
            closed=state.get("closed") is True,
            opener=_text(state.get("opener")),
            disabled=state.get("disabled") is True,
            required=state.get("required") is True,
            checked=state.get("checked") is True,
            fingerprint=_text(data.get("fingerprint")),
        )


@dataclass(frozen=True, slots=True)
class Scan:
    """A page as the SDK saw it. `name` is what the admin called the page, if they did."""

    url_pattern: str
    page_title: str
    nodes: tuple[ScanNode, ...]
    locale: Locale
    name: str = ""


@dataclass(frozen=True, slots=True)
class TextVectors:
    """What an embedding model made of some texts, kept so that nobody waits for it again: see `engine.embedding.kept`.

    `keys` holds a number of eight bytes a text, `rows` its vector in half precision, both little-endian.
    """

    model: str
    keys: bytes
    rows: bytes


@dataclass(frozen=True, slots=True)
class Page:
    """A learnt page. `locale` is the language its intents are written in.

    `vectors` are those of its texts, where they were kept. They say nothing that the texts do not: two pages with the
    same texts are equal. `house_words` holds what means the same to the people of the organization, a group of words
    each: *avoir*, *note de crédit*.
    """

    name: str
    summary: str
    route_pattern: str
    locale: Locale
    intents: tuple[Intent, ...]
    vectors: TextVectors | None = field(default=None, compare=False, repr=False)
    house_words: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a provider counted, summed over the calls that one answer took."""

    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.prompt_tokens + other.prompt_tokens, self.completion_tokens + other.completion_tokens)


@dataclass(frozen=True, slots=True)
class SkillProposal:
    """What a page lets its users do. `dropped` counts the intents refused because the scan does not hold their node."""

    name: str
    summary: str
    intents: tuple[Intent, ...]
    dropped: int
    provider: str
    model: str
    prompt_version: str
    usage: Usage = field(default_factory=Usage)
    fell_back: str = ""


@dataclass(frozen=True, slots=True)
class StepDraft:
    """One step of an answer, in the asker's language. Plain text, never markup."""

    intent_id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """An answer to a question. No steps means that nothing on this page fits.

    `choices` are those of the plan that it writes out (`Plan`). `fell_back` is the error code of the provider that
    failed when the local one answered in its place.
    """

    title: str
    steps: tuple[StepDraft, ...]
    provider: str
    model: str
    prompt_version: str
    usage: Usage = field(default_factory=Usage)
    fell_back: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The intents that reach a goal, in order. `confidence` goes from 0 (nothing fits) to 1.

    `choices` holds the options of lists that the question names (*Livrée*): two plans are the same goal only when
    both ids and choices are.
    """

    intent_ids: tuple[str, ...]
    confidence: float
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """The intents of a plan that a reviewer rejected, in order, and why: ``reason`` in the reviewer's own words."""

    intent_ids: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RankedIntent:
    """An intent with how well it fits a question. Scores compare within one ranking only."""

    intent: Intent
    score: float


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """Which provider to ask and how. `timeout_s` bounds the whole answer, retries included, in seconds.

    `account` says for whom: what is learnt of a server's health for one account is not believed of another's.
    """

    provider: ProviderName = "local"
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    model: str = ""
    timeout_s: float = 10.0
    account: str = ""

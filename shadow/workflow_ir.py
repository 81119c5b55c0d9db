"""A task as it was shown: the typed, versioned form that is built, kept as YAML, exported, and made a tour of.

Its JSON Schema is ``docs/schemas/workflow-ir.schema.json`` (``manage.py workflow_schema --write``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import yaml
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from organizations.errors import ServiceError

VERSION: Literal["1.0"] = "1.0"
MOST_STEPS = 24
MOST_PAGES = MOST_STEPS

Text = Annotated[str, StringConstraints(max_length=300)]
Named = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Route = Annotated[str, StringConstraints(min_length=1, max_length=512, pattern=r"^/")]
ParameterName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
# What stands in XML's and YAML's way, and nobody means: control characters, lone surrogates, byte order marks.
_UNWRITABLE = [(0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F), (0x2028, 0x2029), (0xD800, 0xDFFF), (0xFEFF, 0xFEFF)]


class Part(BaseModel):
    """Nothing but what is described; never changed once made."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=False)


class Locator(Part):
    """One way to find an element. The first that finds exactly one counts."""

    kind: Literal["css", "fallback", "fingerprint"] = Field(
        description="`css` and `fallback` are CSS selectors in which ` >>> ` enters a shadow root or a frame; "
        "`fingerprint` is what Circuy's scanner recognises the element by."
    )
    value: Annotated[str, StringConstraints(min_length=1, max_length=1000)]


class Target(Part):
    """An element of a page, as people and as programs know it."""

    role: Text = ""
    name: Text = Field("", description="Its accessible name.")
    tag: Text = ""
    type: Text = Field("", description="The type of an input.")
    row: Text = Field("", description="The name of its table row.")
    heading: Text = ""
    group: Text = ""
    form: Text = ""
    landmark: Text = ""
    frame: Text = Field("", description="The selector of the same-origin iframe that it is in.")
    locators: Annotated[tuple[Locator, ...], Field(max_length=3)] = ()

    def locator(self, kind: str) -> str:
        """Return the locator of a kind, or an empty text."""
        return next((locator.value for locator in self.locators if locator.kind == kind), "")


class Effect(Part):
    """What the step leads to, and a replay may wait for."""

    kind: Literal["navigation"]
    route: Route = Field(description="The pattern of the page that opens: `*` stands for one segment.")


class Parameter(Part):
    """A value that changes from one time to the next."""

    name: ParameterName
    label: Text = ""
    kind: Literal["date", "amount", "number", "name", "email", "text"]
    example: Text = Field("", description="What was typed when the task was shown; empty where it was masked.")
    confirmed: bool = Field(False, description="Whether somebody said that it changes.")


class Page(Part):
    """A page that the task goes through, by its route pattern."""

    id: ParameterName
    route: Route
    title: Text = ""


class Action(Part):
    """Something done to an element, or a page opened. Of what is `secret` there is no value."""

    kind: Literal["click", "fill", "select", "check", "submit", "upload", "navigate", "key"]
    target: Target | None = None
    clicks: Annotated[int, Field(ge=1, le=3)] = 1
    value: Text | None = None
    parameter: ParameterName | None = None
    option: Text | None = None
    checked: bool | None = None
    key: Text | None = None
    files: Annotated[tuple[Text, ...], Field(max_length=12)] = ()
    secret: bool = False
    cause: Literal["", "typed", "reload", "back", "forward", "link", "form", "push", "replace", "pop", "script"] = (
        Field("", description="How a page was opened by itself.")
    )
    effect: Effect | None = None

    @model_validator(mode="after")
    def _secrets_have_no_value(self) -> Action:
        if self.secret and (self.value or self.option or self.parameter):
            raise ValueError("a secret step holds no value")
        return self


class Step(Action):
    """One thing to do, in the words of who showed it. Steps that were merged into it are done `before`."""

    number: Annotated[int, Field(ge=1, le=MOST_STEPS)]
    intent: Named
    page: ParameterName
    before: Annotated[tuple[Action, ...], Field(max_length=MOST_STEPS)] = ()
    confidence: Annotated[float, Field(ge=0, le=1)] = 1.0
    state: Literal["proposed", "validated", "corrected"] = "proposed"
    events: Annotated[tuple[int, ...], Field(max_length=10_000)] = Field(
        (), description="The numbers of the observed events that it was understood from."
    )

    @property
    def actions(self) -> tuple[Action, ...]:
        """All that is done, in order."""
        return (*self.before, self)


class WorkflowIR(Part):
    """A task: its steps in order, on which pages, with what changes from time to time."""

    version: Literal["1.0"] = VERSION
    name: Annotated[str, StringConstraints(min_length=1, max_length=120)]
    domain: Annotated[str, StringConstraints(min_length=1, max_length=60)] = "generic"
    locale: Literal["fr", "en"]
    session_id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,64}$")]
    shown_at: Annotated[str, StringConstraints(max_length=40)] = Field(description="When it was shown, ISO 8601.")
    parameters: Annotated[tuple[Parameter, ...], Field(max_length=MOST_STEPS)] = ()
    pages: Annotated[tuple[Page, ...], Field(min_length=1, max_length=MOST_PAGES)]
    steps: Annotated[tuple[Step, ...], Field(min_length=1, max_length=MOST_STEPS)]

    @model_validator(mode="after")
    def _hangs_together(self) -> WorkflowIR:
        if [step.number for step in self.steps] != list(range(1, len(self.steps) + 1)):
            raise ValueError("the steps are not numbered from 1 on")
        pages, names = {page.id for page in self.pages}, {parameter.name for parameter in self.parameters}
        if len(pages) != len(self.pages) or len(names) != len(self.parameters):
            raise ValueError("two pages or two parameters have one name")
        for step in self.steps:
            if step.page not in pages:
                raise ValueError(f"step {step.number} is on a page that is not listed")
            if {action.parameter for action in step.actions} - names - {None}:
                raise ValueError(f"step {step.number} names a parameter that is not listed")
        if any(_unwritable(text) for text in _texts(self.model_dump())):
            raise ValueError("a text holds control characters")
        return self

    @classmethod
    def read(cls, data: Any) -> WorkflowIR:
        """Return a workflow as somebody sent it, or raise ``ServiceError`` (``invalid_workflow``, 422).

        What is wrong is named by its place alone: nothing that was sent is repeated.
        """
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            raise ServiceError(
                "invalid_workflow",
                _("This is not a workflow that was built here."),
                status=422,
                fields={_place(fault["loc"]): _("not as expected") for fault in error.errors(include_input=False)[:20]},
            ) from None

    @classmethod
    def from_yaml(cls, text: str) -> WorkflowIR:
        """Return the workflow of a YAML text that ``to_yaml`` wrote, the same as before."""
        return cls.read(yaml.safe_load(text))

    def to_json(self) -> dict[str, Any]:
        """Return the workflow as JSON; what is absent is left out."""
        return self.model_dump(mode="json", exclude_none=True)

    def to_yaml(self) -> str:
        """Return the workflow as YAML that people can read and ``from_yaml`` reads back."""
        said = {"version": self.version, **self.model_dump(mode="json", exclude_defaults=True)}
        text: str = yaml.safe_dump(said, allow_unicode=True, sort_keys=False, width=110)
        return text

    def page_of(self, step: Step) -> Page:
        """Return the page that a step happens on."""
        return next(page for page in self.pages if page.id == step.page)


def schema_text() -> str:
    """Return the JSON Schema of the workflow, as it is kept in the documentation."""
    return json.dumps(WorkflowIR.model_json_schema(), indent=2, ensure_ascii=False) + "\n"


def _place(loc: tuple[int | str, ...]) -> str:
    said = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc)
    return ("workflow_ir" + said)[:120]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def _unwritable(text: str) -> bool:
    return any(first <= ord(char) <= last for char in text for first, last in _UNWRITABLE)

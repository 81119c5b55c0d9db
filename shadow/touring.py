"""From a workflow to the steps of a tour: what its readers are told to do, on which page, at which element."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import override

from shadow.secret_fields import says_password
from shadow.workflow_ir import Action, Parameter, Target, WorkflowIR
from shadow.workflow_ir import Step as IRStep
from tours.steps import MAX_TEXT, MAX_TITLE, Step, plain

_LONGEST_PAGE = 80
# What an example of is shown to everybody: a name, or a free text, may be somebody's.
_SHOWABLE = frozenset({"date", "amount", "number"})


def steps_of(ir: WorkflowIR) -> list[Step]:
    """Return the steps of a tour in the workflow's language; none when it points at nothing.

    What is done without an element (a page that is opened by its address, a key) is said where the next step is, or
    the last one.
    """
    parameters = {parameter.name: parameter for parameter in ir.parameters}
    steps: list[Step] = []
    notes: list[str] = []
    with override(ir.locale):
        for step in ir.steps:
            route = ir.page_of(step).route
            said = [_sentence(action, route, parameters, ir) for action in step.actions]
            pointed = _pointed_at(step.actions)
            if pointed is None:
                notes += said
                continue
            steps.append(
                Step(
                    title=_cut(_title(step, parameters), MAX_TITLE),
                    text=_cut(" ".join([*notes, *said]), MAX_TEXT),
                    placement="bottom",
                    intent_id=f"shown_{step.number}",
                    selector=pointed.locator("css"),
                    fallback_selector=pointed.locator("fallback"),
                    fingerprint=pointed.locator("fingerprint"),
                    action_type=_action_type(step),
                    picked=plain(_name(pointed) or pointed.role or pointed.tag)[:120] or "?",
                    route=route,
                    page=_cut(ir.page_of(step).title, _LONGEST_PAGE),
                )
            )
            notes = []
    if steps and notes:
        steps[-1]["text"] = _cut(" ".join([steps[-1]["text"], *notes]), MAX_TEXT)
    return steps


def _title(step: IRStep, parameters: dict[str, Parameter]) -> str:
    """Return the words of who showed it; what was typed there that time is none of the readers' business."""
    name = _name(step.target) if step.target is not None else ""
    if step.state == "corrected" or step.parameter not in parameters or step.before:
        return step.intent
    return _("Fill in “%(name)s”") % {"name": name} if name else _("Fill in this field")


def _pointed_at(actions: tuple[Action, ...]) -> Target | None:
    """Return the last element that can be found again."""
    findable = [action.target for action in actions if action.target is not None and action.target.locator("css")]
    return findable[-1] if findable else None


def _sentence(action: Action, route: str, parameters: dict[str, Parameter], ir: WorkflowIR) -> str:
    if action.kind == "navigate":
        return _opening(action, ir)
    if action.kind == "key":
        return _("Press %(key)s.") % {"key": action.key or "?"}
    target = action.target
    name = _name(target) if target is not None else ""
    if action.kind == "fill":
        return _filling(action, name, parameters)
    if name and _chooses(action, route):
        return _("Open the one you need, such as “%(name)s”.") % {"name": name}
    return _pressing(action, name, target) if name else _nameless(action)


def _chooses(action: Action, route: str) -> bool:
    """Whether a link leads to one of many pages: whoever follows the guide is after another one of them."""
    is_link = action.target is not None and (action.target.tag == "a" or action.target.role == "link")
    return is_link and action.effect is not None and action.effect.route.count("*") > route.count("*")


def _pressing(action: Action, name: str, target: Target | None) -> str:
    if action.kind == "submit" and action.key:
        return _("Press Enter to confirm.")
    if action.kind == "select":
        return _("Choose “%(option)s” in “%(name)s”.") % {"option": action.option or "?", "name": name}
    if action.kind == "check":
        sentence = _("Untick “%(name)s”.") if action.checked is False else _("Tick “%(name)s”.")
        return sentence % {"name": name}
    if action.kind == "upload":
        return _("Choose the file to send in “%(name)s”.") % {"name": name}
    return _clicking(name, target, twice=action.clicks > 1)


def _clicking(name: str, target: Target | None, *, twice: bool) -> str:
    if twice:
        return _("Double-click “%(name)s”.") % {"name": name}
    if target is not None and target.row and target.row != name:
        return _("Click “%(name)s” in the row “%(row)s”.") % {"name": name, "row": target.row}
    return _("Click “%(name)s”.") % {"name": name}


def _filling(action: Action, name: str, parameters: dict[str, Parameter]) -> str:
    if action.secret:
        is_password = not name or says_password(name)
        return _("Type your password.") if is_password else _("Fill in “%(name)s” yourself.") % {"name": name}
    parameter = parameters.get(action.parameter or "")
    if parameter is not None:
        return _varying(parameter, name)
    if not action.value:
        return _("Empty “%(name)s”.") % {"name": name} if name else _("Empty this field.")
    if not name:
        return _("Type “%(value)s” here.") % {"value": action.value}
    return _("Type “%(value)s” in “%(name)s”.") % {"value": action.value, "name": name}


def _varying(parameter: Parameter, name: str) -> str:
    sentence = _("Fill in “%(name)s”.") % {"name": name} if name else _("Fill in this field.")
    if parameter.example and parameter.kind in _SHOWABLE:
        return sentence + " " + _("For example: %(value)s.") % {"value": parameter.example}
    return sentence


def _nameless(action: Action) -> str:
    match action.kind:
        case "submit":
            return _("Press Enter to confirm.")
        case "select":
            return _("Choose “%(option)s” here.") % {"option": action.option or "?"}
        case "check":
            return _("Untick this box.") if action.checked is False else _("Tick this box.")
        case "upload":
            return _("Choose the file to send here.")
        case _:
            return _("Click here.")


def _opening(action: Action, ir: WorkflowIR) -> str:
    if action.cause == "reload":
        return _("Load the page again.")
    if action.cause in ("back", "pop"):
        return _("Go back to the page before.")
    route = action.effect.route if action.effect is not None else ""
    page = next((page for page in ir.pages if page.route == route), None)
    title = plain(page.title) if page is not None else ""
    return _("Open the page “%(page)s”.") % {"page": title or route or "?"}


def _name(target: Target) -> str:
    return plain(target.name)


def _action_type(action: Action) -> str:
    """Return what takes the reader to the next step: nothing by itself where one click is not all there is to do."""
    tag = action.target.tag if action.target is not None else ""
    match action.kind:
        case "click":
            return "navigate" if tag == "a" and action.effect is not None else "click"
        case "submit":
            return "input" if action.key else "submit"
        case "select":
            return "select" if tag == "select" else "input"
        case "check":
            return "check"
        case _:
            return "input"


def _cut(text: str, most: int) -> str:
    said = plain(text)
    return said if len(said) <= most else said[: most - 1].rstrip() + "…"

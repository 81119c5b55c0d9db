"""Writes docs/configuration.md from the classes that read the environment."""

from circuy.settings.environment import BASE_DIR, CONCERNS, Concern

PAGE = BASE_DIR / "docs" / "configuration.md"

_OPENING = """\
# Configuration

Circuy starts without any configuration. Everything that can be changed is an environment variable; an empty value
counts as not set, and a wrong one stops the start with a sentence that names it. This page is generated
(`manage.py configuration --write`) from `circuy/settings/environment.py`.

What belongs to one organization (provider and its key, notifications, allowed origins, budgets, retention) is not
here: it is set in the admin.
"""


def page() -> str:
    """The whole page, as it should be on disk."""
    parts = [_OPENING]
    for concern in CONCERNS:
        title = concern.__name__.removesuffix("Settings")
        parts.append(f"\n## {title}\n\n{(concern.__doc__ or '').strip()}\n")
        parts.append("\n| variable | default | accepts | what it does |\n|---|---|---|---|\n")
        parts += [_row(concern, name) for name in concern.model_fields]
    return "".join(parts)


def _row(concern: type[Concern], name: str) -> str:
    field = concern.model_fields[name]
    default = concern.note(name, "shown") or f"`{field.default}`"
    return f"| `{name.upper()}` | {default} | {concern.note(name, 'expects')} | {field.description} |\n"

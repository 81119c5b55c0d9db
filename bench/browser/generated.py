"""Pages of any size, always the same: sections of a back office with forms, tables, menus and plain text."""

from __future__ import annotations

from pathlib import Path

from bench.browser.corpus import SavedPage

_FIELDS = (
    ("Prénom", "text"),
    ("Adresse de livraison", "text"),
    ("Quantité", "number"),
    ("Livrer le", "date"),
    ("Cadeau", "checkbox"),
)
_ROWS = 8
# Counted from the markup below: a section, its title and text, its form, its table.
_SECTION = 5 + 2 + 3 * len(_FIELDS) + 6 + 8 + 10 * _ROWS


def generated_page(elements: int, folder: Path) -> SavedPage:
    """Write a page of about `elements` elements into `folder`."""
    count = max(1, round((elements - 8) / _SECTION))
    body = "".join(_section(number) for number in range(1, count + 1))
    file = folder / f"generated-{elements}.html"
    file.write_text(
        "<!doctype html><html lang=fr><meta charset=utf-8><title>Commandes</title>"
        "<style>body{font:14px sans-serif}td{padding:2px 8px}</style>"
        f"<body><nav><a href=/>Accueil</a> <a href=/aide>Aide</a></nav><main>{body}</main></body></html>",
        encoding="utf-8",
    )
    return SavedPage(f"generated, {elements:,}", file)


def _section(number: int) -> str:
    fields = "".join(_field(number, index, *field) for index, field in enumerate(_FIELDS))
    rows = "".join(_row(number, row) for row in range(1, _ROWS + 1))
    return (
        f'<section id="lot-{_word(number)}"><h2>Lot {_word(number)}</h2>'
        f'<p>Voir <a href="/lots/{_word(number)}">le lot</a>'
        f" et <em>son suivi</em>.</p><form action=/lots method=post>{fields}"
        '<p><label>État <select name="etat"><option>Ouvert<option>Clos</select></label></p>'
        "<button type=submit>Enregistrer</button></form>"
        f"<table><thead><tr><th>Ligne<th>Article<th>Prix<th></tr></thead><tbody>{rows}</tbody></table></section>"
    )


def _field(number: int, index: int, label: str, kind: str) -> str:
    # Two fields in three have an id of their own; the others can only be told apart by where they stand.
    attributes = f'id="f-{_word(number)}-{_word(index)}"' if index % 3 else f'aria-label="{label}"'
    return f'<p><label for="f-{_word(number)}-{_word(index)}">{label}</label><input type={kind} {attributes}></p>'


def _row(number: int, row: int) -> str:
    return (
        f"<tr><td>{row}<td><a href=/articles/{_word(number)}-{_word(row)}>Article {_word(number)} {_word(row)}</a>"
        f"<td><span>{row},00 €</span><td><button type=button>Modifier</button> <a href=#>Supprimer</a>"
        f"<input type=checkbox name=choix value={number}-{row}></tr>"
    )


def _word(number: int) -> str:
    """A number as letters, so that nothing on the page looks like a generated name by accident."""
    letters = ""
    while True:
        number, rest = divmod(number, 20)
        letters = "bcdfghjklmnpqrstvwxz"[rest] + "aeiou"[rest % 5] + letters
        if number == 0:
            return letters

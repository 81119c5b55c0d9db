"""A small application of somebody else's, as strict as a bank's."""

from __future__ import annotations

from tests.scan.site import SCRIPT, Site

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; require-trusted-types-for 'script'"
)
INVOICE = "/gestion/devis/nouveau"
LIST = "/gestion/devis"
DISCOUNT = "#remise"

_PAGE = """<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>{title}</title>
<script src="/watch.js"></script></head><body><nav><a href="/gestion/devis">Devis</a></nav>
<main><h1>{title}</h1>{content}</main></body></html>"""
_FORM = """<form><label for="client">Client</label><select id="client"><option>Maison Duval</option></select>
<label for="remise">Remise (%)</label><input id="remise" name="remise" type="number">
<label for="echeance">Date d’échéance</label><input id="echeance" name="echeance" type="date">
<button type="submit">Créer le devis</button></form>"""
# What the page itself could notice: that its policy was hit, and which names appeared in its own world.
_WATCH = """
const before = new Set(Object.getOwnPropertyNames(window));
window.hits = [];
document.addEventListener('securitypolicyviolation', (event) => window.hits.push(event.violatedDirective));
window.appeared = () => Object.getOwnPropertyNames(window).filter((name) => !before.has(name));
"""


class StrictSite(Site):
    """A page that writes a quote, and one that lists them."""

    def __init__(self) -> None:
        super().__init__()
        strict = {"Content-Security-Policy": POLICY}
        self.put(INVOICE, _PAGE.format(title="Nouveau devis", content=_FORM), **strict)
        self.put(LIST, _PAGE.format(title="Devis", content="<p>Aucun devis.</p>"), **strict)
        self.put("/watch.js", _WATCH, SCRIPT)

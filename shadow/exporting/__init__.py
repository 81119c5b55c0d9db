"""Writes what was learnt, or a published tour, for other tools and for paper. Plain Python, no I/O."""

from shadow.exporting.chrome import chrome_recording
from shadow.exporting.document import Action, Document, Step, of_tour, of_workflow
from shadow.exporting.guide import guide_html
from shadow.exporting.shepherd import shepherd_tour

__all__ = [
    "Action",
    "Document",
    "Step",
    "chrome_recording",
    "guide_html",
    "of_tour",
    "of_workflow",
    "shepherd_tour",
]

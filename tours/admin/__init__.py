"""Tours, questions and events in the administration."""

from tours.admin.events import TourEventAdmin
from tours.admin.questions import QuestionAdmin
from tours.admin.tours import TourAdmin

__all__ = ["QuestionAdmin", "TourAdmin", "TourEventAdmin"]

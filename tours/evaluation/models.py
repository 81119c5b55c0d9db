"""What people know to be right answers, and the measures of how often the engine gives them."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from organizations.models import Organization
from organizations.scoping import TenantManager, TenantOwned


class ReferenceQuestion(TenantOwned):
    """A question whose right answer people know, asked of the engine to see how often it is right.

    ``intent_ids`` are the page's intents that answer it, in order; none of them means that nothing on the page does.
    It belongs to the page's address, not to one version of what was learnt there. It is never changed: another right
    answer is another row.
    """

    class Origin(models.TextChoices):
        TOUR = "tour", _("From a reviewed tour")
        QUESTION = "question", _("From a question without an answer")
        HAND = "hand", _("Written by hand")

    route_pattern = models.CharField(_("page"), max_length=512)
    locale = models.CharField(_("language"), max_length=2, choices=Organization.Locale)
    text = models.CharField(_("question"), max_length=300)
    normalized = models.CharField(max_length=300, editable=False)
    intent_ids = ArrayField(models.CharField(max_length=300), verbose_name=_("right answer"), default=list)
    origin = models.CharField(_("origin"), max_length=10, choices=Origin)
    tour = models.ForeignKey(
        "tours.Tour", on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("tour")
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("author")
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    objects = TenantManager()

    class Meta:
        verbose_name = _("reference question")
        verbose_name_plural = _("reference questions")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "route_pattern", "locale", "normalized"], name="one_reference_per_words"
            ),
            models.CheckConstraint(
                condition=models.Q(origin__in=["tour", "question", "hand"]), name="reference_origin_known"
            ),
        ]

    @property
    def kind(self) -> str:
        """Return ``single``, ``plan`` or ``absent``: how many intents answer it."""
        return ("absent", "single")[len(self.intent_ids)] if len(self.intent_ids) < 2 else "plan"

    def __str__(self) -> str:
        return self.text


class EvaluationRun(TenantOwned):
    """One measure: every reference question of an organization, asked of one provider.

    Its results are there from the start, waiting; a worker fills them in, and another goes on where one died.
    """

    class State(models.TextChoices):
        RUNNING = "running", _("Measuring")
        DONE = "done", _("Measured")
        STOPPED = "stopped", _("Stopped: the month's tokens are spent")
        FAILED = "failed", _("Failed")

    provider = models.CharField(_("engine"), max_length=10, choices=Organization.Provider)
    model = models.CharField(_("model"), max_length=120, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.RUNNING)
    total = models.PositiveIntegerField(_("questions"))
    right = models.PositiveIntegerField(_("right"), default=0)
    prompt_tokens = models.PositiveIntegerField(_("prompt tokens"), default=0)
    completion_tokens = models.PositiveIntegerField(_("completion tokens"), default=0)
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("started by")
    )
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    finished_at = models.DateTimeField(_("finished"), null=True)
    claimed_at = models.DateTimeField(null=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)

    objects = TenantManager()

    class Meta:
        verbose_name = _("evaluation")
        verbose_name_plural = _("evaluations")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "provider"],
                condition=models.Q(state="running"),
                name="one_evaluation_at_a_time",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["running", "done", "stopped", "failed"]), name="evaluation_state_known"
            ),
        ]
        indexes = [
            models.Index(fields=["organization", "provider", "-id"], name="evaluation_latest"),
            models.Index(fields=["started_at"], condition=models.Q(state="running"), name="evaluation_running"),
        ]

    @property
    def tokens(self) -> int:
        """Return how many tokens of a model it took."""
        return self.prompt_tokens + self.completion_tokens

    def __str__(self) -> str:
        return f"{self.get_provider_display()}: {self.right} / {self.total}"


class EvaluationResult(TenantOwned):
    """What came of one reference question in one measure.

    It goes with its question: a question that turned out to be wrong counts nowhere, in no measure.
    ``rank`` is the place of the right element, from 1; 0 when it is nowhere.
    """

    class Outcome(models.TextChoices):
        WAITING = "waiting", _("Not asked yet")
        RIGHT = "right", _("Right")
        WRONG = "wrong", _("Another answer")
        REFUSED = "refused", _("No answer, though there is one")
        INVENTED = "invented", _("An answer, though there is none")
        GONE = "gone", _("The element is no longer on the page")
        UNANSWERED = "unanswered", _("The model did not answer")
        NOT_ASKED = "not_asked", _("Not asked: the month's tokens are spent")

    run = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="results")
    reference = models.ForeignKey(ReferenceQuestion, on_delete=models.CASCADE, related_name="results")
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome, default=Outcome.WAITING)
    rank = models.PositiveSmallIntegerField(_("place"), default=0)
    answer_ids = ArrayField(models.CharField(max_length=300), verbose_name=_("answer"), default=list)
    fell_back = models.CharField(_("why the local engine answered"), max_length=40, blank=True)

    objects = TenantManager()

    class Meta:
        verbose_name = _("evaluation result")
        verbose_name_plural = _("evaluation results")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "reference"], name="one_result_per_question"),
            models.CheckConstraint(
                condition=models.Q(
                    outcome__in=[
                        "waiting",
                        "right",
                        "wrong",
                        "refused",
                        "invented",
                        "gone",
                        "unanswered",
                        "not_asked",
                    ]
                ),
                name="result_outcome_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reference_id}: {self.get_outcome_display()}"

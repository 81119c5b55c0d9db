"""What end users ask, the tours that answer them, who may see which version, and what happened on the page."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from moderation.models import Reviewable
from moderation.states import Status
from organizations.models import EndUser, Organization
from organizations.scoping import TenantManager, TenantOwned
from skills.models import PageSkill
from tours.evaluation.models import EvaluationResult, EvaluationRun, ReferenceQuestion

__all__ = [
    "LIVE_STATUSES",
    "EvaluationResult",
    "EvaluationRun",
    "Question",
    "ReferenceQuestion",
    "Tour",
    "TourEvent",
    "TourGrant",
    "TourVersion",
]

# The statuses in which a tour's published version, if it has one, is what users get.
LIVE_STATUSES = (Status.PUBLISHED, Status.PENDING_REVIEW, Status.CHANGES_REQUESTED)


class Tour(Reviewable):
    """A guide through a page.

    ``current_version`` is what reviewers work on; ``published_version`` is what everybody in the
    organization gets, and stays so while a newer one is under review. ``intent_ids`` and ``choices`` are
    the goal: the page's intents that the tour was made for, in order, and the options of lists that its
    question named (« Livrée »).

    A demonstration (``tours.demonstrations``) is about no learnt page: ``routes`` are the patterns of the pages that it
    goes through, in the order in which it comes to them, and each of its steps names its own.
    """

    class Origin(models.TextChoices):
        AI = "ai", _("Made for a question")
        DEMONSTRATION = "demonstration", _("Shown by a member")

    title = models.CharField(_("title"), max_length=120)
    origin = models.CharField(_("origin"), max_length=15, choices=Origin, default=Origin.AI)
    page_skill = models.ForeignKey(
        PageSkill, on_delete=models.PROTECT, null=True, related_name="tours", verbose_name=_("page-skill")
    )
    routes = ArrayField(models.CharField(max_length=512), verbose_name=_("pages"), default=list)
    locale = models.CharField(_("language"), max_length=2, choices=Organization.Locale)
    intent_ids = ArrayField(models.CharField(max_length=300), verbose_name=_("goal"))
    choices = ArrayField(models.CharField(max_length=300), verbose_name=_("named options"), default=list)
    asked_count = models.PositiveIntegerField(_("times asked"), default=0)
    current_version = models.ForeignKey(
        "TourVersion", on_delete=models.RESTRICT, null=True, related_name="+", verbose_name=_("current version")
    )
    published_version = models.ForeignKey(
        "TourVersion", on_delete=models.RESTRICT, null=True, related_name="+", verbose_name=_("published version")
    )
    # When its published version was approved: what browsers reported before is about other steps.
    published_at = models.DateTimeField(_("published"), null=True, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    objects = TenantManager()

    class Meta:
        verbose_name = _("tour")
        verbose_name_plural = _("tours")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=models.Q(status__in=Status.values), name="tour_status_known"),
            models.CheckConstraint(
                condition=~models.Q(status=Status.PUBLISHED) | models.Q(published_version__isnull=False),
                name="a_published_tour_has_a_version",
            ),
            models.CheckConstraint(
                condition=models.Q(origin="demonstration", page_skill__isnull=True, routes__len__gt=0)
                | models.Q(page_skill__isnull=False, routes=[]) & ~models.Q(origin="demonstration"),
                name="only_demonstrations_are_about_no_learnt_page",
            ),
        ]
        indexes = [
            models.Index(
                fields=["organization", "-asked_count", "submitted_at"],
                condition=models.Q(status=Status.PENDING_REVIEW),
                name="tour_inbox",
            ),
            models.Index(
                fields=["organization", "-asked_count"],
                condition=models.Q(status=Status.STALE),
                name="tour_out_of_date",
            ),
            models.Index(fields=["page_skill", "locale"], name="tour_by_page"),
            GinIndex(fields=["intent_ids"], name="tour_by_intent"),
            models.Index(
                fields=["organization", "-asked_count"],
                condition=models.Q(origin="demonstration", published_version__isnull=False),
                name="tour_shown_and_live",
            ),
        ]

    @property
    def is_demonstration(self) -> bool:
        """Whether a member showed it, on pages that may never have been learnt."""
        return self.page_skill_id is None

    @property
    def first_route(self) -> str:
        """The pattern of the page that it begins on."""
        return self.page_skill.route_pattern if self.page_skill is not None else self.routes[0]

    @property
    def place(self) -> str:
        """What people call the page it is about, or the pages it goes through."""
        return self.page_skill.name if self.page_skill is not None else " → ".join(self.routes)

    def __str__(self) -> str:
        return self.title


class TourVersion(TenantOwned):
    """One state of a tour: its title and its steps, as a list of ``tours.steps.Step`` objects.

    The database refuses to change it (but for forgetting its author), and a tour to point at another tour's.
    """

    tour = models.ForeignKey(Tour, on_delete=models.CASCADE, related_name="versions", verbose_name=_("tour"))
    number = models.PositiveIntegerField(_("number"))
    title = models.CharField(_("title"), max_length=120)
    steps = models.JSONField(_("steps"))
    digest = models.CharField(max_length=64)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("author")
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    objects = TenantManager()

    class Meta:
        verbose_name = _("tour version")
        verbose_name_plural = _("tour versions")
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["tour", "number"], name="one_version_per_number")]

    def __str__(self) -> str:
        return f"{self.title} (v{self.number})"


class Question(TenantOwned):
    """A question as it was asked (masked), and what became of it.

    Of several questions with the same words that wait on the same page, one ``leads``: its answer is theirs.
    """

    class Outcome(models.TextChoices):
        WAITING = "waiting", _("Being answered")
        PUBLISHED = "published", _("Published tour")
        HISTORY = "history", _("Tour given before")
        GENERATED = "generated", _("New tour")
        NOTHING = "nothing", _("Nothing on this page fits")
        UNKNOWN_PAGE = "unknown_page", _("Page not learnt")
        FAILED = "failed", _("Could not be answered")

    text = models.CharField(_("question"), max_length=300)
    normalized = models.CharField(max_length=300, editable=False)
    route = models.CharField(_("page"), max_length=512)
    page_title = models.CharField(_("page title"), max_length=300, blank=True)
    locale = models.CharField(_("language"), max_length=2, choices=Organization.Locale)
    end_user = models.ForeignKey(
        EndUser, on_delete=models.CASCADE, related_name="questions", verbose_name=_("asked by")
    )
    page_skill = models.ForeignKey(
        PageSkill, on_delete=models.SET_NULL, null=True, related_name="questions", verbose_name=_("page-skill")
    )
    outcome = models.CharField(_("outcome"), max_length=15, choices=Outcome)
    tour = models.ForeignKey(
        Tour, on_delete=models.SET_NULL, null=True, related_name="questions", verbose_name=_("tour")
    )
    tour_version = models.ForeignKey(TourVersion, on_delete=models.SET_NULL, null=True, related_name="+")
    provider = models.CharField(_("engine"), max_length=20, blank=True)
    model = models.CharField(_("model"), max_length=120, blank=True)
    prompt_version = models.CharField(max_length=40, blank=True)
    fell_back = models.CharField(_("why the local engine answered"), max_length=40, blank=True)
    prompt_tokens = models.PositiveIntegerField(_("prompt tokens"), default=0)
    completion_tokens = models.PositiveIntegerField(_("completion tokens"), default=0)
    cost = models.DecimalField(_("cost"), max_digits=14, decimal_places=6, null=True)
    latency_ms = models.PositiveIntegerField(_("time, in ms"), null=True)
    asked_at = models.DateTimeField(_("asked"), default=timezone.now)
    claimed_at = models.DateTimeField(null=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    leads = models.BooleanField(default=False, editable=False)

    objects = TenantManager()

    class Meta:
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    outcome__in=[
                        "waiting",
                        "published",
                        "history",
                        "generated",
                        "nothing",
                        "unknown_page",
                        "failed",
                    ]
                ),
                name="question_outcome_known",
            ),
            models.UniqueConstraint(
                fields=["page_skill", "locale", "normalized"],
                condition=models.Q(outcome="waiting", leads=True) & ~models.Q(normalized=""),
                name="one_question_leads",
            ),
        ]
        indexes = [
            models.Index(fields=["page_skill", "locale", "normalized"], name="question_by_words"),
            models.Index(fields=["asked_at"], condition=models.Q(outcome="waiting"), name="question_waiting"),
            models.Index(fields=["organization", "asked_at"], name="question_by_age"),
        ]

    def elapsed_ms(self) -> int:
        """Return the milliseconds since it was asked; never less than 0, whatever the clocks say."""
        return max(0, round((timezone.now() - self.asked_at).total_seconds() * 1000))

    def __str__(self) -> str:
        return self.text


class TourGrant(TenantOwned):
    """Lets one end user, and nobody else, see one unpublished version of a tour."""

    tour_version = models.ForeignKey(TourVersion, on_delete=models.CASCADE, related_name="grants")
    end_user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="grants")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TenantManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tour_version", "end_user"], name="one_grant_per_version_and_user")
        ]

    def __str__(self) -> str:
        return f"{self.tour_version} → {self.end_user}"


class TourEvent(TenantOwned):
    """Something that happened while a tour ran. Only ever added; ``id`` is the browser's, so a resend adds nothing."""

    class Type(models.TextChoices):
        STARTED = "started", _("Started")
        STEP_SHOWN = "step_shown", _("Step shown")
        TARGET_MISSING = "target_missing", _("Target missing")
        FALLBACK_USED = "fallback_used", _("Fallback used")
        HEALED = "healed", _("Found again")
        COMPLETED = "completed", _("Completed")
        CANCELLED = "cancelled", _("Cancelled")
        RATED = "rated", _("Rated")

    tour = models.ForeignKey(Tour, on_delete=models.CASCADE, related_name="events", verbose_name=_("tour"))
    end_user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="+", verbose_name=_("end user"))
    type = models.CharField(_("type"), max_length=20, choices=Type)
    step = models.PositiveSmallIntegerField(_("step"), null=True)
    detail = models.CharField(_("detail"), max_length=300, blank=True)
    happened_at = models.DateTimeField(_("when"))
    received_at = models.DateTimeField(_("received"), auto_now_add=True)

    objects = TenantManager()

    class Meta:
        verbose_name = _("tour event")
        verbose_name_plural = _("tour events")
        ordering = ["-received_at"]
        indexes = [
            models.Index(fields=["tour", "received_at"], name="event_by_tour"),
            models.Index(fields=["organization", "received_at"], name="event_by_age"),
            models.Index(
                fields=["organization", "received_at"],
                condition=models.Q(type="target_missing"),
                name="event_of_a_miss",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_type_display()} ({self.tour_id})"

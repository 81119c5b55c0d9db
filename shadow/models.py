"""What members showed: the machine, the session, its events in order, what was understood, and what came of it."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from organizations.models import Organization
from organizations.scoping import TenantManager, TenantOwned
from tours.models import Tour

LONGEST_ID = 64


class Machine(TenantOwned):
    """A browser that events come from, under an id that it made up itself."""

    machine_id = models.CharField(_("id"), max_length=LONGEST_ID)
    name = models.CharField(_("name"), max_length=120, blank=True)
    user_agent = models.CharField(_("browser"), max_length=300, blank=True)
    member = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("member")
    )
    last_seen_at = models.DateTimeField(_("last seen"), default=timezone.now)

    objects = TenantManager()

    class Meta:
        verbose_name = _("machine")
        verbose_name_plural = _("machines")
        ordering = ["-last_seen_at"]
        constraints = [models.UniqueConstraint(fields=["organization", "machine_id"], name="one_machine_per_id")]

    def __str__(self) -> str:
        return self.name or self.machine_id


class ObservationSession(TenantOwned):
    """What one tab of a machine does, from its first event on.

    ``recording`` counts how often observing began: steps and feedback name the time they belong to. Of the last one,
    events with a sequence number from ``recorded_from`` to ``recorded_until`` are what was shown (``None``: it goes
    on). ``secret_targets`` are the elements that held a secret once: nothing is kept of them ever after.
    """

    class Status(models.TextChoices):
        ACTIVE = "active", _("Not observed yet")
        RECORDING = "recording", _("Being observed")
        STOPPED = "stopped", _("Observed")
        BUILT = "built", _("Learnt")
        CANCELLED = "cancelled", _("Called off")

    machine = models.ForeignKey(Machine, on_delete=models.CASCADE, related_name="sessions", verbose_name=_("machine"))
    session_id = models.CharField(_("id"), max_length=LONGEST_ID)
    member = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("member")
    )
    locale = models.CharField(_("language"), max_length=2, choices=Organization.Locale)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.ACTIVE)
    recording = models.PositiveIntegerField(default=0, editable=False)
    recorded_from = models.BigIntegerField(null=True, editable=False)
    recorded_until = models.BigIntegerField(null=True, editable=False)
    last_sequence = models.BigIntegerField(_("last event"), default=-1, editable=False)
    events_count = models.PositiveIntegerField(_("events"), default=0, editable=False)
    secret_targets = ArrayField(models.CharField(max_length=32), default=list, editable=False)
    created_at = models.DateTimeField(_("began"), default=timezone.now)
    started_at = models.DateTimeField(_("observed from"), null=True)
    stopped_at = models.DateTimeField(_("observed until"), null=True)
    closed_at = models.DateTimeField(null=True, editable=False)
    last_event_at = models.DateTimeField(_("last event received"), default=timezone.now)

    objects = TenantManager()

    class Meta:
        verbose_name = _("observed session")
        verbose_name_plural = _("observed sessions")
        ordering = ["-last_event_at"]
        constraints = [
            models.UniqueConstraint(fields=["organization", "session_id"], name="one_observed_session_per_id"),
            models.CheckConstraint(
                condition=models.Q(status__in=["active", "recording", "stopped", "built", "cancelled"]),
                name="observed_session_status_known",
            ),
        ]
        indexes = [models.Index(fields=["organization", "-last_event_at"], name="session_by_activity")]

    def __str__(self) -> str:
        return self.session_id


class ObservedEvent(TenantOwned):
    """Something that happened in a session, masked, without secrets. Only ever added, or deleted.

    ``sequence`` is the client's: the order in which it happened, whatever the order in which it came. ``target_keys``
    name the element within the session, so that what becomes known to be secret can be forgotten.
    """

    session = models.ForeignKey(
        ObservationSession, on_delete=models.CASCADE, related_name="events", verbose_name=_("session")
    )
    sequence = models.BigIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=10)
    at = models.DateTimeField(_("when"), default=timezone.now)
    target_keys = ArrayField(models.CharField(max_length=32), default=list, editable=False)
    payload = models.JSONField(_("content"))
    received_at = models.DateTimeField(_("received"), auto_now_add=True)

    objects = TenantManager()

    class Meta:
        verbose_name = _("observed event")
        verbose_name_plural = _("observed events")
        ordering = ["session", "sequence"]
        constraints = [models.UniqueConstraint(fields=["session", "sequence"], name="one_event_per_number")]
        indexes = [models.Index(fields=["organization", "received_at"], name="observed_by_age")]

    def __str__(self) -> str:
        return f"{self.sequence}: {self.kind}"


class UnderstoodStep(TenantOwned):
    """A step as it was understood, or as somebody put it right. ``index`` counts from 1; a removed one has none.

    ``data`` is all that the observer said of it (``shadow.understanding``), ``events`` the numbers of what it is made
    of.
    """

    class State(models.TextChoices):
        PROPOSED = "proposed", _("Proposed")
        VALIDATED = "validated", _("Validated")
        CORRECTED = "corrected", _("Corrected")
        REMOVED = "removed", _("Removed")

    session = models.ForeignKey(
        ObservationSession, on_delete=models.CASCADE, related_name="steps", verbose_name=_("session")
    )
    recording = models.PositiveIntegerField(editable=False)
    index = models.PositiveIntegerField(_("number"), null=True)
    kind = models.CharField(_("kind"), max_length=10)
    intent = models.CharField(_("intent"), max_length=300)
    confidence = models.DecimalField(_("confidence"), max_digits=4, decimal_places=3, default=1)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.PROPOSED)
    events = ArrayField(models.BigIntegerField(), verbose_name=_("events"), default=list)
    data = models.JSONField(_("content"), default=dict)

    objects = TenantManager()

    class Meta:
        verbose_name = _("understood step")
        verbose_name_plural = _("understood steps")
        ordering = ["session", "recording", "index"]
        constraints = [
            models.UniqueConstraint(fields=["session", "recording", "index"], name="one_step_per_place"),
            models.CheckConstraint(
                condition=models.Q(state__in=["proposed", "validated", "corrected", "removed"]),
                name="understood_step_state_known",
            ),
            models.CheckConstraint(
                condition=models.Q(index__isnull=True) ^ ~models.Q(state="removed"),
                name="only_removed_steps_have_no_place",
            ),
        ]

    def __str__(self) -> str:
        return self.intent


class Feedback(TenantOwned):
    """What somebody said of the steps, applied or not. Only ever added."""

    class Action(models.TextChoices):
        VALIDATE = "validate", _("Validated")
        CORRECT = "correct", _("Corrected")
        UNDO = "undo", _("Removed")
        CANCEL = "cancel", _("Called off")
        MERGE_NEXT = "merge_next", _("Merged with the next")
        SPLIT = "split", _("Split")

    session = models.ForeignKey(
        ObservationSession, on_delete=models.CASCADE, related_name="feedback", verbose_name=_("session")
    )
    recording = models.PositiveIntegerField(editable=False)
    action = models.CharField(_("action"), max_length=12, choices=Action)
    step_index = models.IntegerField(_("step"), null=True)
    new_intent = models.CharField(_("new intent"), max_length=300, blank=True)
    at_event_index = models.BigIntegerField(_("at event"), null=True)
    applied = models.BooleanField(_("applied"))
    reason = models.CharField(_("why not"), max_length=300, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("who")
    )
    at = models.DateTimeField(_("when"), auto_now_add=True)

    objects = TenantManager()

    class Meta:
        verbose_name = _("feedback")
        verbose_name_plural = _("feedback")
        ordering = ["session", "id"]

    def __str__(self) -> str:
        return self.get_action_display()


class Competence(TenantOwned):
    """A task that was shown and built: its workflow, the same as YAML, and the tour that came of it.

    A candidate becomes approved when its tour is; nothing else changes its status. ``digest`` names the workflow: the
    same one is kept once.
    """

    class Status(models.TextChoices):
        CANDIDATE = "candidate", _("Candidate")
        APPROVED = "approved", _("Approved")

    name = models.CharField(_("name"), max_length=120)
    domain = models.CharField(_("domain"), max_length=60, default="generic")
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.CANDIDATE)
    workflow_ir = models.JSONField(_("workflow"))
    digest = models.CharField(max_length=64, editable=False)
    yaml_text = models.TextField(_("YAML"), editable=False)
    path = models.CharField(_("file"), max_length=255, editable=False)
    machine = models.ForeignKey(
        Machine, on_delete=models.SET_NULL, null=True, related_name="competences", verbose_name=_("machine")
    )
    session = models.ForeignKey(
        ObservationSession, on_delete=models.SET_NULL, null=True, related_name="competences", verbose_name=_("session")
    )
    tour = models.OneToOneField(
        Tour, on_delete=models.SET_NULL, null=True, related_name="competence", verbose_name=_("tour")
    )
    member = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("shown by")
    )
    created_at = models.DateTimeField(_("learnt"), auto_now_add=True)

    objects = TenantManager()

    class Meta:
        verbose_name = _("competence")
        verbose_name_plural = _("competences")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["organization", "digest"], name="one_competence_per_workflow"),
            models.CheckConstraint(
                condition=models.Q(status__in=["candidate", "approved"]), name="competence_status_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Conversation(TenantOwned):
    """A member's conversation with Léa, under an id that their browser made up, as it stands after the last sentence.

    ``data`` is what she remembers of it (``shadow.conversation.talk.Memory``).
    """

    member = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name=_("member")
    )
    key = models.CharField(max_length=LONGEST_ID)
    data = models.JSONField(default=dict)
    spoken_at = models.DateTimeField(_("last spoken"), auto_now=True)

    objects = TenantManager()

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        ordering = ["-spoken_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "member", "key"], name="one_conversation_per_member_and_key"
            )
        ]

    def __str__(self) -> str:
        return self.key

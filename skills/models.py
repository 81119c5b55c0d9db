"""What Circuy knows of a page: the scan as it was received, and the page-skill made from it."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.functions import TransactionNow
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import HnswIndex, VectorField

from engine.types import MEANING_DIMENSIONS
from moderation.models import Reviewable
from moderation.states import Status
from organizations.models import Organization
from organizations.scoping import TenantManager, TenantOwned


class RecorderCode(TenantOwned):
    """A one-time code that lets a member's browser record pages for half an hour. Kept as a digest."""

    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    objects = TenantManager()

    def __str__(self) -> str:
        return str(self.pk)


class PageScan(TenantOwned):
    """A page as the SDK described it, masked, exactly as accepted."""

    class State(models.TextChoices):
        RECEIVED = "received", _("Received")
        LEARNED = "learned", _("Learnt")
        FAILED = "failed", _("Failed")

    class Source(models.TextChoices):
        RECORDER = "recorder", _("Recorder")
        IMPORT = "import", _("Import")

    url_pattern = models.CharField(_("route pattern"), max_length=512)
    page_title = models.CharField(_("page title"), max_length=300)
    name = models.CharField(_("name"), max_length=255)
    locale = models.CharField(_("language"), max_length=2, choices=Organization.Locale)
    payload = models.JSONField(_("content"))
    content_hash = models.CharField(max_length=64)
    size = models.PositiveIntegerField(_("size, in bytes"))
    truncated = models.BooleanField(_("the page held more"), default=False)
    source = models.CharField(_("source"), max_length=10, choices=Source)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.RECEIVED)
    failure = models.TextField(_("failure"), blank=True)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("recorded by")
    )
    created_at = models.DateTimeField(_("received"), auto_now_add=True)
    claimed_at = models.DateTimeField(null=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)

    objects = TenantManager()

    class Meta:
        verbose_name = _("page scan")
        verbose_name_plural = _("page scans")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["received", "learned", "failed"]), name="page_scan_state_known"
            ),
        ]
        indexes = [
            models.Index(fields=["created_at"], condition=models.Q(state="received"), name="page_scan_received"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.url_pattern})"


class PageSkill(Reviewable):
    """What users can do on one page. The specification's table, with a review around it.

    ``actions_json`` is the specification's document to the letter. ``elements_json`` keeps, by intent id,
    what the scan knew of each element (role, name, options, form, synonyms); it never leaves the server.
    ``fingerprints_json`` keeps the scanner's fingerprints by selector, for the selectors of the actions alone: the
    document's actions have no room for them, and what was noted belongs to the element that the selector pointed
    at, so an action that is moved to another selector does not take it along. An element without one is not in it.
    ``proposed_json`` keeps what the scan alone made of the page: what ``actions_json`` says otherwise, a reviewer
    wrote, and it stays when the page is learnt again (``skills.merging``). ``indexed_at`` is when its search index and
    vectors were made: what a process keeps of the page is as old.
    One row is one version: approving a row archives the one it replaces.
    """

    name = models.CharField(_("name"), max_length=255)
    route_pattern = models.CharField(_("route pattern"), max_length=512)
    static_prefix = models.CharField(max_length=512, editable=False)
    summary = models.TextField(_("summary"))
    actions_json = models.JSONField(_("actions"))
    elements_json = models.JSONField(default=dict, editable=False)
    fingerprints_json = models.JSONField(default=dict, editable=False)
    proposed_json = models.JSONField(default=dict, editable=False)
    indexed_at = models.DateTimeField(null=True, editable=False)
    locale = models.CharField(_("language"), max_length=2, choices=Organization.Locale)
    scan = models.OneToOneField(
        PageScan, on_delete=models.SET_NULL, null=True, related_name="skill", editable=False, verbose_name=_("scan")
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True, db_default=TransactionNow())
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    objects = TenantManager()

    class Meta:
        db_table = "page_skills"
        verbose_name = _("page-skill")
        verbose_name_plural = _("page-skills")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "route_pattern"],
                condition=models.Q(status=Status.PUBLISHED),
                name="one_published_skill_per_route",
            ),
            models.CheckConstraint(condition=models.Q(status__in=Status.values), name="page_skill_status_known"),
        ]
        indexes = [
            models.Index(fields=["organization", "route_pattern"], name="idx_page_skills_org_route"),
            models.Index(
                fields=["organization", "static_prefix"],
                condition=models.Q(status=Status.PUBLISHED),
                name="page_skill_live_prefix",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SkillIntent(TenantOwned):
    """One thing that users can do on one page, as the search across pages finds it.

    Derived from a page-skill's actions and elements, in the transaction that writes them, and never edited
    (``skills.index``). ``terms`` are stems in both languages and concepts, each behind a tag of the organization: the
    database has no index over two kinds of column, and so each organization still has lists of its own. ``live`` says
    that the page-skill is published: an index cannot look into another table, and versions that nobody gets would
    stand between a question and its neighbours. It is set by the decision that changes the page-skill's status.
    """

    page_skill = models.ForeignKey(PageSkill, on_delete=models.CASCADE, related_name="index_entries")
    order = models.PositiveIntegerField()
    intent_id = models.TextField()
    user_goal = models.TextField()
    selector = models.TextField()
    fallback_selector = models.TextField(blank=True)
    action_type = models.CharField(max_length=10)
    terms = SearchVectorField()
    # Two vectors compare when they are of one space: a model's name and which training. "" and None without a model.
    space = models.CharField(max_length=120, blank=True)
    vector = VectorField(dimensions=MEANING_DIMENSIONS, null=True)
    live = models.BooleanField()

    objects = TenantManager()

    class Meta:
        verbose_name = _("indexed action")
        verbose_name_plural = _("indexed actions")
        ordering = ["page_skill", "order"]
        constraints = [models.UniqueConstraint(fields=["page_skill", "order"], name="one_index_entry_per_place")]
        indexes = [
            models.Index(fields=["organization"], condition=models.Q(live=True), name="index_entry_live"),
            GinIndex(fields=["terms"], condition=models.Q(live=True), name="index_entry_terms"),
            HnswIndex(
                fields=["vector"],
                opclasses=["vector_cosine_ops"],
                condition=models.Q(live=True),
                name="index_entry_vector",
            ),
        ]

    def __str__(self) -> str:
        return self.user_goal


class SkillVectors(TenantOwned):
    """What an embedding model made of a page-skill's texts (``engine.types.TextVectors``): no process reads them
    again. Derived like the index; a page-skill that no model read has none."""

    page_skill = models.OneToOneField(PageSkill, on_delete=models.CASCADE, related_name="vectors")
    model = models.CharField(max_length=120)
    keys = models.BinaryField()
    rows = models.BinaryField()

    objects = TenantManager()

    class Meta:
        verbose_name = _("vectors of a page-skill")
        verbose_name_plural = _("vectors of page-skills")

    def __str__(self) -> str:
        return str(self.page_skill_id)

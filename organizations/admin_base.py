"""What every page of the administration rests on: who the member is, what their role allows, whose rows they see.

Roles take the place of Django's permissions. Rows come from scoped managers, so a filter, a search or an address
typed by hand finds only the member's own organizations; anything else is a 404. Writes are services, called by views
of our own: the generic forms of Django's admin stay closed, and a model opens what it needs by naming a role.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.forms import Media
from django.http import Http404, HttpRequest
from django.template.response import TemplateResponse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from organizations.models import Membership, Organization, Role, User
from organizations.scoping import every_tenant

_CACHE = "_circuy_memberships"


def signed_in(request: HttpRequest) -> User:
    """Return the member behind a request that the administration let in."""
    return cast(User, request.user)


def memberships(request: HttpRequest) -> list[Membership]:
    """Return the signed-in person's memberships, read once a request."""
    if not hasattr(request, _CACHE):
        rows: list[Membership] = []
        if request.user.is_authenticated and request.user.is_active:
            with every_tenant():
                own = Membership.objects.filter(user=request.user).select_related("organization")
                rows = list(own.order_by("organization__name"))
        setattr(request, _CACHE, rows)
    return cast(list[Membership], getattr(request, _CACHE))


def organizations_where(request: HttpRequest, needed: Role) -> list[Organization]:
    """Return the organizations in which the member may do what ``needed`` may do."""
    return [row.organization for row in memberships(request) if Role(row.role).includes(needed)]


def may(request: HttpRequest, needed: Role | None, organization_id: Any = None) -> bool:
    """Whether the member's role suffices, in one organization or, without an id, in any of theirs."""
    if needed is None:
        return False
    return any(
        Role(row.role).includes(needed)
        for row in memberships(request)
        if organization_id is None or row.organization_id == organization_id
    )


def require(request: HttpRequest, needed: Role, organization_id: Any = None) -> None:
    """Refuse (403) a member whose role does not suffice."""
    if not may(request, needed, organization_id):
        raise PermissionDenied


def page(request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200) -> TemplateResponse:
    """Answer with a page of the administration, inside its frame."""
    return TemplateResponse(request, template, {**admin.site.each_context(request), **context}, status=status)


def badge(tone: str, label: Any) -> SafeString:
    """Return a small label; ``tone`` is a status or one of good, warn, bad, info, quiet."""
    return format_html('<span class="badge badge-{}">{}</span>', tone, label)


def moment(field: str, label: Any, *, never: Any = None) -> Callable[[Any], Any]:
    """Return a column of a list that shows a time in few characters; ``field`` may follow relations."""

    @admin.display(description=label, ordering=field)
    def column(row: Any) -> Any:
        value = row
        for part in field.split("__"):
            value = getattr(value, part)
        return never if value is None else date_format(localtime(value), "SHORT_DATETIME_FORMAT")

    column.__name__ = field
    return column


class TenantModelAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Lists and read-only pages of a model that belongs to organizations."""

    view_role: Role = Role.VIEWER
    add_role: Role | None = None
    change_role: Role | None = None
    # What the list is called and what its button says, where the model's own name does not make good words.
    list_title: Any = ""
    add_label: Any = ""
    actions = None
    list_per_page = 50
    show_full_result_count = False
    # Facets count every value of every filter, which a long list pays dearly for.
    show_facets = admin.ShowFacets.NEVER

    @property
    def media(self) -> Media:
        """Nothing: no page of ours uses Django's widgets, and lists work without scripts."""
        return Media()

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may(request, self.view_role)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return may(request, self.view_role, self.organization_id(obj))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return may(request, self.add_role)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return may(request, self.change_role, self.organization_id(obj))

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002
        return False

    def organization_id(self, obj: Any) -> Any:
        """Return the id of the organization an object belongs to, or None without an object."""
        return None if obj is None else obj.organization_id

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return the object, or answer 404 for what is not there and for what is somebody else's."""
        found = super().get_object(request, object_id, from_field)
        if found is None:
            raise Http404
        return found

    def get_list_display(self, request: HttpRequest) -> Any:
        """Name the organization in lists of a member who has several."""
        columns = list(super().get_list_display(request))
        return [*columns, "organization"] if len(memberships(request)) > 1 else columns

    def get_list_filter(self, request: HttpRequest) -> Any:
        filters = list(super().get_list_filter(request))
        return [*filters, OrganizationFilter] if len(memberships(request)) > 1 else filters

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows of the organizations in which the member may look at them, not of all that are theirs."""
        # Django leaves ``list_select_related`` out where a queryset follows relations already.
        related = self.list_select_related if isinstance(self.list_select_related, list | tuple) else ()
        queryset: QuerySet[Any] = super().get_queryset(request).select_related("organization", *related)
        return queryset.filter(organization__in=organizations_where(request, self.view_role))


class OrganizationFilter(admin.SimpleListFilter):
    """Organizations whose rows the member may look at; Django's filter on the foreign key would name everybody's."""

    title = _("organization")
    parameter_name = "organization"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(str(own.pk), own.name) for own in organizations_where(request, model_admin.view_role)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        own = {str(row.organization_id) for row in memberships(request)}
        return queryset.filter(organization=self.value()) if self.value() in own else queryset

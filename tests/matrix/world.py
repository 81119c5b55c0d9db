"""One organization with a row of every kind, and what it would be to see one of them."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db import DatabaseError, connection, models, transaction
from django.utils import timezone

from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.models import Membership, Organization, Role, User
from organizations.scoping import every_tenant, tenant_scope
from shadow.services import (
    competence_persist,
    events_ingest,
    feedback_apply,
    session_start,
    session_stop,
    workflow_build,
)
from skills.models import PageSkill
from tests.admin.conftest import Browser, browser_of
from tests.fixtures import LOCAL, Tenant, make_tenant
from tests.matrix.doors import Door, Form, doors, forms_of, owned_models
from tests.shadow.showing import MACHINE, SESSION, presence, refund
from tours.answering.making import question_answer
from tours.models import Tour

# Nobody outside the organization ever reads one of these.
SECRETS = ("@oree.example", "ormes.example", "Maison des Ormes", "Création de facture", "remise", "Remise")
LEFT_AS_THEY_ARE = ("/admin/logout/", "/i18n/setlang/", "/admin/login/", "/admin/account/", "/admin/password")
PLAIN_VALUES: list[tuple[type[Any], Any]] = [
    (models.UUIDField, uuid.uuid4()),
    (models.DateField, timezone.now()),
    (models.IntegerField, 1),
    (models.JSONField, {}),
    (models.BooleanField, False),
    (models.BinaryField, b""),
]


@dataclass(slots=True)
class World:
    """The organization, its rows by model, a stranger who owns another, and the forms that its owner is shown."""

    tenant: Tenant
    stranger: Tenant
    rows: dict[type[models.Model], list[Any]]
    people: dict[str, User]
    browsers: dict[str, Browser]
    forms: list[Form] = field(default_factory=list)
    _candidates: dict[Door, list[str]] = field(default_factory=dict)

    def urls(self, door: Door) -> list[str]:
        """Return a door's addresses: of the rows that it is about, as far as the owner's own browser can tell."""
        if not door.wants_a_row:
            return [door.url("")]
        if door not in self._candidates:
            named = [rows for model, rows in self.rows.items() if f"/{model._meta.model_name}/<" in door.route]
            if named:
                found = [door.url(row.pk) for row in named[0]]
            else:
                every = [door.url(of_kind[0].pk) for of_kind in self.rows.values()]
                opened = [url for url in every if self.browsers["owner"].get(url).status_code != 404]
                found = opened or every
            self._candidates[door] = found
        return self._candidates[door]

    def shown(self, response: Any, url: str) -> list[str]:
        """Return what of the organization's own a response gives away, besides what its address held already."""
        said = "" if response.streaming else response.content.decode(errors="replace")
        said += " ".join(f"{name}: {value}" for name, value in response.headers.items())
        said = said.replace(url, "")
        ids = [str(row.pk) for of_kind in self.rows.values() for row in of_kind]
        return [secret for secret in (*SECRETS, self.tenant.key_value, *ids) if secret in said and secret not in url]

    def name_and_id(self) -> set[str]:
        """Return how the organization is called, and the id by which lists are narrowed to it."""
        return {"Maison des Ormes", str(self.tenant.organization.pk)}

    def state(self, apart: User | None = None) -> dict[str, str]:
        """Return a digest of the organization's rows, table by table; a person's own membership is left out."""
        own = Membership.objects.filter(user=apart).values_list("pk", flat=True).first() if apart else None
        parts, values = [], []
        for model in owned_models():
            table, column = model._meta.db_table, "id" if model is Organization else "organization_id"
            parts.append(
                f"SELECT '{table}', md5(coalesce(string_agg(t::text, '|' ORDER BY t.id), ''))"  # noqa: S608
                f' FROM "{table}" t WHERE t.{column} = %s AND t.id <> %s'
            )
            values += [self.tenant.organization.pk, own or uuid.UUID(int=0)]
        with connection.cursor() as cursor:
            cursor.execute(" UNION ALL ".join(parts), values)
            return dict(cursor.fetchall())

    def changed_by_any(self, who: str, posts: Iterable[tuple[str, Any]]) -> list[str]:
        """Post all of it as somebody, and return the addresses at which something changed; looked for only if any."""
        person, every = self.people.get(who), list(posts)
        with transaction.atomic(), tenant_scope(self.tenant.organization.pk):
            before = self.state(person)
            for url, data in every:
                self.browsers[who].post(url, data)
            changed = self.state(person) != before
            transaction.set_rollback(True)
        return [url for url, data in every if self.changed_by(who, url, data)] if changed else []

    def changed_by(self, who: str, url: str, data: Any) -> set[str]:
        """Post as somebody, and return the tables that changed; everything is put back as it was."""
        person = self.people.get(who)
        with transaction.atomic(), tenant_scope(self.tenant.organization.pk):
            before = self.state(person)
            self.browsers[who].post(url, data)
            after = self.state(person)
            transaction.set_rollback(True)
        return {table for table, digest in after.items() if before[table] != digest}


def make_world() -> World:
    """Build it all; inside one transaction, which the caller rolls back."""
    tenant, stranger = make_tenant("oree"), make_tenant("duval")
    Organization.objects.filter(pk=tenant.organization.pk).update(name="Maison des Ormes")
    tenant.organization.refresh_from_db()
    with tenant_scope(tenant.organization.pk):
        _work(tenant)
        rows = _a_row_of_each(tenant)
    people = {name: getattr(tenant, name) for name in ("owner", "reviewer", "author", "viewer")}
    people["visiting"] = _visiting(tenant, stranger)
    browsers = {name: browser_of(person) for name, person in people.items()}
    browsers |= {"stranger": browser_of(stranger.owner), "nobody": Browser()}
    world = World(tenant, stranger, rows, people, browsers)
    world.forms = _forms_shown_to_the_owner(world)
    return world


def _visiting(tenant: Tenant, stranger: Tenant) -> User:
    """Return an administrator of the stranger's organization who may only look at the owner's."""
    person = User.objects.create_user("visiting@duval.example", is_staff=True)
    with every_tenant():
        Membership.objects.create(user=person, organization=tenant.organization, role=Role.VIEWER)
        Membership.objects.create(user=person, organization=stranger.organization, role=Role.ADMIN)
    return person


def _work(tenant: Tenant) -> None:
    """Leave a tour in each stand that a page of the administration treats apart, and a page with a new version."""
    tenant.learn()
    for text in ("Comment ajouter une remise ?", "Choisir le client", "Changer le taux de TVA", "Créer la facture"):
        question_answer(question_id=tenant.asked(text).pk, config=LOCAL)
    question_answer(question_id=tenant.asked("Où réserver un vol pour Lisbonne ?").pk, config=LOCAL)
    tours = list(Tour.objects.order_by("pk"))
    for tour, verbs in zip(tours[1:], ([Verb.APPROVE], [Verb.APPROVE, Verb.ARCHIVE], [Verb.REJECT]), strict=False):
        for verb in verbs:
            _decide(tenant, tour, verb)
    tenant.learn(approve=False)
    _demonstrate(tenant)


def _demonstrate(tenant: Tenant) -> None:
    """Have the author show a task and keep it: a session, its events, steps, what was said of them, and a tour."""
    own: dict[str, Any] = {"organization": tenant.organization, "member": tenant.author}
    sent: dict[str, Any] = {**own, "session_id": SESSION, "machine_id": MACHINE}
    events_ingest(**sent, events=[presence()])
    session_start(**own, session_id=SESSION)
    events_ingest(**sent, events=refund())
    session_stop(**own, session_id=SESSION)
    feedback_apply(**own, session_id=SESSION, action="validate")
    built = workflow_build(**own, session_id=SESSION, name="Rembourser une remise")
    competence_persist(**own, workflow_ir=built["workflow_ir"], machine_id=MACHINE)


def _decide(tenant: Tenant, tour: Tour, verb: Verb) -> None:
    review_decide(
        model=Tour,
        subject_id=tour.pk,
        organization=tenant.organization,
        actor=tenant.reviewer,
        verb=verb,
        seen_digest=tour.digest,
        reason="essai",
    )


def _a_row_of_each(tenant: Tenant) -> dict[type[models.Model], list[Any]]:
    """Return rows of every model, made from its fields where nothing else made one."""
    rows: dict[type[models.Model], list[Any]] = {Organization: [tenant.organization]}
    missing = [model for model in owned_models() if model is not Organization]
    while missing:
        left = []
        for model in missing:
            found = list(model._default_manager.all()[:1]) or _made(model, tenant, rows)
            if found:
                rows[model] = found
            else:
                left.append(model)
        if len(left) == len(missing):
            break
        missing = left
    rows[Membership] = [Membership.objects.get(user=tenant.owner), Membership.objects.get(user=tenant.reviewer)]
    rows[Tour] = list(Tour.objects.order_by("pk"))
    rows[PageSkill] = list(PageSkill.objects.filter(status__in=[Status.PUBLISHED, Status.PENDING_REVIEW]))
    return rows


def _made(model: type[models.Model], tenant: Tenant, rows: dict[type[models.Model], list[Any]]) -> list[Any]:
    values: dict[str, Any] = {}
    for part in model._meta.concrete_fields:
        if part.null or part.has_default() or getattr(part, "auto_now_add", False) or getattr(part, "auto_now", False):
            continue
        values[part.name] = _value(part, tenant, rows)
    try:
        with transaction.atomic():
            return [model._default_manager.create(**values)]
    except (DatabaseError, ValueError):
        # It needs a row of a model whose turn comes later.
        return []


def _value(part: Any, tenant: Tenant, rows: dict[type[models.Model], list[Any]]) -> Any:
    if isinstance(part, models.ForeignKey):
        made = {User: tenant.owner, Organization: tenant.organization}
        return made.get(part.related_model) or rows.get(part.related_model, [None])[0]
    if part.choices:
        return part.choices[0][0]
    for kind, value in PLAIN_VALUES:
        if isinstance(part, kind):
            return value
    named = hashlib.sha256(f"{part.model.__name__}.{part.name}".encode()).hexdigest()
    return f"https://ormes.example/{named}"[: part.max_length]


def _forms_shown_to_the_owner(world: World) -> list[Form]:
    found: dict[Form, None] = {}
    for door in doors():
        if door.is_api or not door.route.startswith("admin/"):
            continue
        for url in world.urls(door):
            response = world.browsers["owner"].get(url, follow=True)
            if response.status_code == 200 and "html" in response.headers.get("Content-Type", ""):
                at = response.request["PATH_INFO"]
                forms = forms_of(response.content.decode(), at)
                found.update({form: None for form in forms if not form.action.startswith(LEFT_AS_THEY_ARE)})
    return list(found)

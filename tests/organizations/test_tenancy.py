"""Walls between tenants, and secrets at rest."""

import pytest
from django.db import connection
from django_scopes import ScopeError

from organizations.errors import ServiceError
from organizations.models import EndUser, Organization, Role, User
from organizations.onboarding import organization_create
from organizations.permissions import role_in
from organizations.scoping import tenant_scope


def test_a_query_outside_of_any_scope_raises(db):
    with pytest.raises(ScopeError):
        EndUser.objects.count()


def test_a_scope_shows_its_own_rows_only(oree, stranger):
    mine = oree.visitor()
    with tenant_scope(stranger.organization.id):
        assert not EndUser.objects.filter(pk=mine.pk).exists()
    with tenant_scope():
        assert EndUser.objects.count() == 0


def test_a_secret_is_unreadable_in_the_database(oree):
    oree.organization.llm_api_key = "sk-secret"
    oree.organization.save()
    with connection.cursor() as cursor:
        cursor.execute("SELECT llm_api_key, identity_secret FROM organizations")
        raw = str(cursor.fetchall())
    assert "sk-secret" not in raw
    assert oree.organization.identity_secret not in raw
    assert Organization.objects.get(slug="oree").llm_api_key == "sk-secret"


def test_roles_are_ordered_from_owner_to_viewer():
    assert Role.OWNER.includes(Role.VIEWER)
    assert Role.REVIEWER.includes(Role.REVIEWER)
    assert not Role.AUTHOR.includes(Role.REVIEWER)


def test_a_stranger_has_no_role(oree, stranger):
    assert role_in(oree.owner, oree.organization) == Role.OWNER
    assert role_in(stranger.owner, oree.organization) is None


def test_a_new_organization_has_an_owner_and_a_key_for_its_pages(db):
    made = organization_create(
        name="Atelier Brun",
        owner_email="Zoe@Brun.example",
        owner_password="un-long-secret-2026",
        origins=["https://a.example"],
    )
    assert made.publishable_key.startswith("pk_")
    assert role_in(made.owner, made.organization) == Role.OWNER
    assert User.objects.get(email="zoe@brun.example").check_password("un-long-secret-2026")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": "!"}, "name"),
        ({"owner_email": "zoe"}, "owner_email"),
        ({"owner_email": "a." * 50_000}, "owner_email"),
        ({"owner_password": "1234"}, "owner_password"),
        ({"locale": "de"}, "locale"),
    ],
)
def test_an_organization_with_a_mistake_is_not_created(db, changes, field):
    good = {
        "name": "Atelier Brun",
        "owner_email": "zoe@brun.example",
        "owner_password": "un-long-secret-2026",
        "origins": ["https://a.example"],
    }
    with pytest.raises(ServiceError) as refused:
        organization_create(**{**good, **changes})
    assert field in refused.value.fields
    assert Organization.objects.count() == 0
    assert User.objects.count() == 0

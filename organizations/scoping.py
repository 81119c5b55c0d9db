"""Walls between tenants: managers that refuse to read outside a tenant's scope.

``tenant_scope(organization)`` opens the scope in a view, a task or a test; a query on a tenant-owned
model outside of any scope raises ``django_scopes.ScopeError`` instead of reading everybody's rows.
"""

from __future__ import annotations

import uuid
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, TypeVar

from django.contrib.postgres.functions import RandomUUID
from django.db import models
from django_scopes import ScopedManager, scope, scopes_disabled

from organizations.ids import new_id

Row = TypeVar("Row", bound=models.Model)

if TYPE_CHECKING:
    _Scoped = models.Manager
else:
    # django-scopes gives an instance of a class that it makes; the class lets models declare their manager as usual.
    _Scoped = type(ScopedManager(organization="organization"))


class TenantManager(_Scoped[Row]):
    """The default manager of a model that has an ``organization`` foreign key."""


def tenant_scope(*organization_ids: uuid.UUID) -> AbstractContextManager[None]:
    """Let queries inside the block see the rows of these organizations and of no other."""
    opened: AbstractContextManager[None] = scope(organization=list(organization_ids))
    return opened


def every_tenant() -> AbstractContextManager[None]:
    """Lift the walls for the platform's own work (sweepers, sign-in, seeding). Never around a request's reads."""
    lifted: AbstractContextManager[None] = scopes_disabled()
    return lifted


class TenantOwned(models.Model):
    """A row that belongs to one organization, under a time-ordered id."""

    id = models.UUIDField(primary_key=True, default=new_id, db_default=RandomUUID(), editable=False)
    organization = models.ForeignKey("organizations.Organization", on_delete=models.CASCADE, editable=False)

    class Meta:
        abstract = True

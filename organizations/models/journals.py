"""What an organization changed in the lists that it keeps."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from organizations.models.tenants import User
from organizations.scoping import TenantManager, TenantOwned


class ListChange(TenantOwned):
    """One line of the audit log of a list that an organization keeps: who changed it, from what to what. Only added."""

    actor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("who"))
    before = models.JSONField(_("before"))
    after = models.JSONField(_("after"))
    created_at = models.DateTimeField(_("when"), auto_now_add=True)

    class Meta:
        abstract = True
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.actor}, {self.created_at:%Y-%m-%d}"


class MaskChange(ListChange):
    """A change of the masks."""

    objects = TenantManager()

    class Meta(ListChange.Meta):
        verbose_name = _("change of masks")
        verbose_name_plural = _("changes of masks")


class LexiconChange(ListChange):
    """A change of the own words."""

    objects = TenantManager()

    class Meta(ListChange.Meta):
        verbose_name = _("change of own words")
        verbose_name_plural = _("changes of own words")

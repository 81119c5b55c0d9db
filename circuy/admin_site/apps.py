"""Puts our site in the place of Django's."""

from django.contrib.admin.apps import AdminConfig


class CircuyAdminConfig(AdminConfig):
    default_site = "circuy.admin_site.site.CircuyAdminSite"

    def ready(self) -> None:
        super().ready()
        from django.contrib import admin
        from django.contrib.auth.models import Group

        # Roles are memberships; Django's groups would be a second, unused kind.
        admin.site.unregister(Group)

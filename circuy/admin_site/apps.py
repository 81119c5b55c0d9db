"""Puts our site in the place of Django's."""

from django.contrib.admin.apps import AdminConfig


class CircuyAdminConfig(AdminConfig):
    default_site = "circuy.admin_site.site.CircuyAdminSite"

    def ready(self) -> None:
        super().ready()
        from allauth.account.models import EmailAddress
        from allauth.mfa.models import Authenticator
        from django.contrib import admin
        from django.contrib.auth.models import Group

        # Roles are memberships; Django's groups would be a second, unused kind. Second factors are their owner's alone,
        # and an account has the one address that it was made for.
        admin.site.unregister([Group, EmailAddress, Authenticator])

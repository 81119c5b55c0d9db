"""Application keys: making them, finding their organization, and whether an origin may use them."""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import timedelta
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from organizations.errors import ServiceError
from organizations.models import Organization, Role, SdkKey, User
from organizations.permissions import require_role
from organizations.scoping import every_tenant

PREFIXES = {SdkKey.Kind.PUBLISHABLE: "pk_", SdkKey.Kind.SECRET: "sk_"}
USE_IS_NOTED_EVERY = timedelta(minutes=1)
_HOST = re.compile(r"^(\[[0-9a-fA-F:.]+\]|[a-zA-Z0-9]([a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?)$")


def origin_clean(text: str) -> str:
    """Return ``scheme://host[:port]`` as a browser writes it in its ``Origin`` header.

    Raises ``ServiceError`` (``invalid_origin``) for anything with a path, credentials, a wildcard or
    another scheme than http(s): origins are compared exactly, never by suffix.
    """
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    host = parts.hostname or ""
    wellformed = parts.scheme in ("http", "https") and _HOST.match(f"[{host}]" if ":" in host else host)
    if not wellformed or parts.username is not None or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ServiceError(
            "invalid_origin",
            _("“%(origin)s” is not an origin. Write it as https://app.example.com, without a path.")
            % {"origin": text[:120]},
            status=422,
        )
    netloc = f"[{host}]" if ":" in host else host
    default_port = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{netloc}" + (f":{port}" if port not in (None, default_port) else "")


@transaction.atomic
def sdk_key_create(
    *,
    organization: Organization,
    actor: User | None,
    name: str,
    kind: SdkKey.Kind,
    allowed_origins: list[str] | None = None,
    value: str | None = None,
) -> tuple[SdkKey, str]:
    """Create a key and return it with its value, which for a secret key can never be read again.

    ``actor`` is None only for the platform itself; ``value`` fixes a publishable key's text (a seed).
    """
    if actor is not None:
        require_role(actor, organization, Role.ADMIN)
    text = value or PREFIXES[kind] + secrets.token_urlsafe(24)
    origins = sorted({origin_clean(origin) for origin in allowed_origins or []})
    key = SdkKey.objects.create(
        organization=organization,
        name=name,
        kind=kind,
        prefix=text[:11],
        lookup=_lookup(text),
        allowed_origins=origins,
    )
    return key, text


@transaction.atomic
def sdk_key_set_origins(*, key: SdkKey, actor: User, allowed_origins: list[str]) -> SdkKey:
    """Replace the origins from which a publishable key works."""
    require_role(actor, key.organization, Role.ADMIN)
    key.allowed_origins = sorted({origin_clean(origin) for origin in allowed_origins})
    key.save(update_fields=["allowed_origins"])
    return key


def sdk_key_revoke(*, key: SdkKey, actor: User) -> bool:
    """Make a key useless from now on. Returns False if it already was."""
    require_role(actor, key.organization, Role.ADMIN)
    with every_tenant():
        return bool(SdkKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=timezone.now()))


def sdk_key_find(value: str) -> SdkKey | None:
    """Return the live key with this value, with its organization, and note that it was used."""
    if not value.startswith(tuple(PREFIXES.values())) or len(value) > 80:
        return None
    now = timezone.now()
    with every_tenant():
        key = SdkKey.objects.select_related("organization").filter(lookup=_lookup(value), revoked_at=None).first()
        if key is None:
            return None
        if key.last_used_at is None or key.last_used_at < now - USE_IS_NOTED_EVERY:
            SdkKey.objects.filter(pk=key.pk).update(last_used_at=now)
    return key


def origin_is_known(origin: str) -> bool:
    """Whether some live publishable key works from ``origin``: what a CORS preflight may reveal."""
    with every_tenant():
        return SdkKey.objects.filter(
            Q(allowed_origins__contains=[origin]), kind=SdkKey.Kind.PUBLISHABLE, revoked_at=None
        ).exists()


def publishable_value(key: SdkKey) -> str:
    """Return the text of a publishable key, for a script tag."""
    if key.kind != SdkKey.Kind.PUBLISHABLE:
        raise ValueError("a secret key is kept as a digest: its text cannot be shown again")
    return key.lookup


def _lookup(value: str) -> str:
    """Return what the database is searched with: the value of a publishable key, the digest of a secret one."""
    if value.startswith(PREFIXES[SdkKey.Kind.SECRET]):
        return hashlib.sha256(value.encode()).hexdigest()
    return value

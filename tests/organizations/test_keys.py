"""Application keys and the origins they work from."""

import pytest

from organizations.errors import ServiceError
from organizations.keys import (
    origin_clean,
    origin_is_known,
    sdk_key_create,
    sdk_key_find,
    sdk_key_revoke,
    sdk_key_set_origins,
)
from organizations.models import SdkKey
from organizations.scoping import tenant_scope


def test_a_secret_key_is_kept_as_a_digest_and_still_found(oree):
    key, value = sdk_key_create(
        organization=oree.organization, actor=oree.owner, name="Serveur", kind=SdkKey.Kind.SECRET
    )
    assert value.startswith("sk_")
    assert value not in (key.lookup, key.prefix)
    assert sdk_key_find(value) == key


def test_the_digest_of_a_secret_key_is_not_a_key(oree):
    key, _value = sdk_key_create(
        organization=oree.organization, actor=oree.owner, name="Serveur", kind=SdkKey.Kind.SECRET
    )
    assert sdk_key_find(key.lookup) is None


def test_use_is_noted(oree):
    sdk_key_find(oree.key_value)
    oree.key.refresh_from_db()
    assert oree.key.last_used_at is not None


def test_a_revoked_key_is_nobodys_and_stays_revoked(oree):
    assert sdk_key_revoke(key=oree.key, actor=oree.owner) is True
    assert sdk_key_revoke(key=oree.key, actor=oree.owner) is False
    assert sdk_key_find(oree.key_value) is None
    assert not origin_is_known("https://app.oree.example")


@pytest.mark.parametrize("who", ["reviewer", "author", "viewer"])
def test_only_administrators_handle_keys(oree, who):
    actor = getattr(oree, who)
    for attempt in (
        lambda: sdk_key_create(organization=oree.organization, actor=actor, name="x", kind=SdkKey.Kind.PUBLISHABLE),
        lambda: sdk_key_revoke(key=oree.key, actor=actor),
        lambda: sdk_key_set_origins(key=oree.key, actor=actor, allowed_origins=[]),
    ):
        with pytest.raises(ServiceError) as refused:
            attempt()
        assert refused.value.code == "forbidden"


def test_a_stranger_does_not_learn_that_a_key_exists(oree, stranger):
    with tenant_scope(stranger.organization.id), pytest.raises(ServiceError) as refused:
        sdk_key_revoke(key=oree.key, actor=stranger.owner)
    assert refused.value.code == "not_found"


@pytest.mark.parametrize(
    ("written", "origin"),
    [
        ("https://app.example.com", "https://app.example.com"),
        ("https://APP.example.com/", "https://app.example.com"),
        ("https://app.example.com:443", "https://app.example.com"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_an_origin_is_written_as_browsers_write_it(written, origin):
    assert origin_clean(written) == origin


@pytest.mark.parametrize(
    "text",
    [
        "app.example.com",
        "https://app.example.com/page",
        "https://ok.example:x@evil.example",
        "https://*.example.com",
        "ftp://app.example.com",
        "javascript:alert(1)",
        "https://app.example.com:port",
        "https://app.example.com?x",
        "null",
        "",
    ],
)
def test_what_is_not_an_origin_is_refused(text):
    with pytest.raises(ServiceError) as refused:
        origin_clean(text)
    assert refused.value.code == "invalid_origin"

"""The demonstration that a first start leaves, and what a later one makes of it."""

from __future__ import annotations

import pytest

from circuy.seed import seed_demo
from organizations.models import SdkKey
from organizations.scoping import every_tenant
from organizations.script_tag import origin_for_pages

pytestmark = pytest.mark.django_db


def test_pages_are_opened_where_the_demonstration_is_this_time_and_no_origin_is_lost() -> None:
    seed_demo("http://127.0.0.1:8001")
    with every_tenant():
        key = SdkKey.objects.get()
        SdkKey.objects.update(allowed_origins=[*key.allowed_origins, "https://app.example"])
    seed_demo("http://127.0.0.1:8999")
    with every_tenant():
        key = SdkKey.objects.get()
    assert origin_for_pages([key]) == "http://127.0.0.1:8999"
    assert {"http://127.0.0.1:8001", "https://app.example", "http://localhost:8999"} <= set(key.allowed_origins)

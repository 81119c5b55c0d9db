"""The recorder's one-time codes and short-lived tokens."""

from datetime import timedelta

import pytest
from django.utils import timezone

from organizations.errors import ServiceError
from organizations.scoping import every_tenant
from skills.models import RecorderCode
from skills.recorder import recorder_code_create, recorder_code_exchange, recorder_token_read


def test_a_code_opens_one_session_for_the_member_who_asked(oree):
    code = recorder_code_create(organization=oree.organization, actor=oree.author)
    session = recorder_code_exchange(organization=oree.organization, code=code)
    assert session.member == oree.author
    assert recorder_token_read(session.token).organization == oree.organization


def test_a_code_works_once(oree):
    code = recorder_code_create(organization=oree.organization, actor=oree.author)
    recorder_code_exchange(organization=oree.organization, code=code)
    with pytest.raises(ServiceError) as refused:
        recorder_code_exchange(organization=oree.organization, code=code)
    assert refused.value.code == "code_used_or_expired"


def test_a_code_does_not_outlive_ten_minutes(oree):
    code = recorder_code_create(organization=oree.organization, actor=oree.author)
    RecorderCode.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(ServiceError) as refused:
        recorder_code_exchange(organization=oree.organization, code=code)
    assert refused.value.status == 410


def test_a_code_of_another_organization_does_not_exist_here(oree, stranger):
    code = recorder_code_create(organization=oree.organization, actor=oree.author)
    with every_tenant(), pytest.raises(ServiceError) as refused:
        recorder_code_exchange(organization=stranger.organization, code=code)
    assert refused.value.code == "code_used_or_expired"


def test_a_forged_token_is_refused(oree):
    with pytest.raises(ServiceError) as refused:
        recorder_token_read("rt_" + "a" * 40)
    assert refused.value.code == "recorder_token_invalid"


def test_a_token_ends_when_its_member_may_no_longer_write(oree):
    code = recorder_code_create(organization=oree.organization, actor=oree.author)
    session = recorder_code_exchange(organization=oree.organization, code=code)
    oree.author.memberships.update(role="viewer")
    with pytest.raises(ServiceError) as refused:
        recorder_token_read(session.token)
    assert refused.value.code == "forbidden"

"""All of Circuy in a scratch folder, with a key of a server's and a way to change its settings."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from scratch_stack import ScratchStack, scratch_stack

_SCOPE = """
from organizations.models import Organization
from organizations.scoping import tenant_scope
organization = Organization.objects.get(slug="maison-oree")
"""
_KEY = """
from organizations.keys import sdk_key_create
from organizations.models import SdkKey
with tenant_scope(organization.id):
    print(sdk_key_create(organization=organization, actor=None, name="Bench", kind=SdkKey.Kind.SECRET)[1])
"""
_MODEL = """
Organization.objects.filter(pk=organization.pk).update(
    llm_provider="openai", llm_base_url={base_url!r}, llm_model="m", monthly_token_budget=2_000_000_000
)
"""
_PUBLISH = """
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.models import Membership, Role
from tours.models import Tour
with tenant_scope(organization.id):
    reviewers = (Role.OWNER, Role.ADMIN, Role.REVIEWER)
    reviewer = Membership.objects.filter(role__in=reviewers).first().user
    for tour in Tour.objects.filter(status=Status.PENDING_REVIEW):
        review_decide(model=Tour, subject_id=tour.pk, organization=organization, actor=reviewer, verb=Verb.APPROVE,
                      seen_digest=tour.digest)
"""


class Stack:
    """A running stack, seen by somebody who measures it."""

    def __init__(self, stack: ScratchStack) -> None:
        self._stack = stack
        self.url = stack.url
        self.key = self._shell(_KEY).strip().splitlines()[-1]

    def use_model(self, base_url: str) -> None:
        """Have a model answer from now on."""
        self._shell(_MODEL.format(base_url=base_url))

    def publish_all(self) -> None:
        """Approve every guide that waits for review."""
        self._shell(_PUBLISH)

    def _shell(self, code: str) -> str:
        done = self._stack.manage("shell", "--no-imports", "-c", _SCOPE + code)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        return done.stdout


@contextmanager
def running_stack() -> Iterator[Stack]:
    """Start everything, and end it whatever happens."""
    with scratch_stack() as stack:
        yield Stack(stack)

"""Keeping what was learnt: a row, a YAML file, and a tour that waits for its review."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from moderation.registry import content_digest
from organizations.errors import ServiceError
from organizations.models import Organization, User
from shadow.masking import workflow_masked
from shadow.models import Competence, Machine, ObservationSession
from shadow.selectors import visible
from shadow.touring import steps_of
from shadow.workflow_ir import WorkflowIR
from tours.demonstrations import demonstration_submit
from tours.review import review_url

CANDIDATES = "candidate"


def persist(*, organization: Organization, member: User | None, ir: WorkflowIR, machine_id: str) -> Competence:
    """Keep a workflow once: as a competence, a file and a submitted tour, all or nothing.

    Whatever the workflow went through on its way, what is personal in it is masked again. Raises ``ServiceError``:
    ``machine_not_found`` (404), ``storage_unavailable`` (503).
    """
    machine = Machine.objects.filter(organization=organization, machine_id=machine_id).first()
    if machine is None:
        raise ServiceError("machine_not_found", _("I do not know this machine."), status=404)
    masked = workflow_masked(ir, organization)
    digest = content_digest(masked.to_json())
    known = _known(organization, digest)
    if known is not None:
        return known
    try:
        with transaction.atomic():
            return _create(organization, member, machine, masked, digest)
    except IntegrityError:
        # Somebody kept the same one in this moment.
        known = _known(organization, digest)
        if known is None:
            raise
        return known


def public(competence: Competence) -> dict[str, Any]:
    """Return what is told of a competence that was kept."""
    review = review_url(competence.tour) if competence.tour is not None else ""
    return {
        "status": "persisted",
        "competence_id": str(competence.pk),
        "path": competence.path,
        "tour_id": str(competence.tour_id) if competence.tour_id else None,
        "review_url": settings.PUBLIC_URL.rstrip("/") + review if review else None,
    }


def file_name(competence: Competence) -> str:
    """Return a name for a competence's file that no other has, of small letters, digits and ``-`` alone."""
    return f"{slugify(competence.name)[:60].strip('-') or 'competence'}-{competence.pk.hex[-12:]}.yaml"


def _known(organization: Organization, digest: str) -> Competence | None:
    return Competence.objects.filter(organization=organization, digest=digest).select_related("tour").first()


def _create(
    organization: Organization, member: User | None, machine: Machine, ir: WorkflowIR, digest: str
) -> Competence:
    session: ObservationSession | None = visible(organization, member).filter(session_id=ir.session_id).first()
    competence = Competence(
        organization=organization,
        name=ir.name,
        domain=ir.domain,
        workflow_ir=ir.to_json(),
        digest=digest,
        yaml_text=ir.to_yaml(),
        machine=machine,
        session=session,
        member=member,
    )
    within = Path(CANDIDATES) / organization.slug / file_name(competence)
    competence.path = str(Path("competences") / within)
    # First of all: of two at the same moment the second fails here, and leaves nothing behind.
    competence.save(force_insert=True)
    steps = steps_of(ir)
    if steps:
        competence.tour = demonstration_submit(
            organization=organization, actor=member, title=ir.name, locale=ir.locale, steps=steps
        )
        competence.save(update_fields=["tour"])
    # Last: what is in the database is taken back when the file cannot be written.
    _write(settings.COMPETENCES_DIR / within, competence.yaml_text)
    return competence


def _write(path: Path, text: str) -> None:
    """Write a whole file or none: whoever reads it meanwhile finds either."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, suffix=".part", delete=False) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(path)
    except OSError as error:
        raise ServiceError(
            "storage_unavailable", _("The file of this competence could not be written. Try again later."), status=503
        ) from error

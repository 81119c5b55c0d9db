"""Importing recordings of other tools: each becomes a demonstration, as if it had been shown."""

from __future__ import annotations

import time
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from organizations.admin.forms import InOrganizationForm
from organizations.admin_base import organizations_where, page, require, signed_in
from organizations.errors import ServiceError
from organizations.ids import new_id
from organizations.models import Organization, Role, User
from shadow.importing import ImportedFile, ImportFileError, Recording, read_recordings
from shadow.importing.reading import MOST_MEGABYTES
from shadow.parameters import name_clean
from shadow.services import session_import

MACHINE = "import"


class ImportForm(InOrganizationForm):
    """A file, and whose it will be."""

    file = forms.FileField(
        label=_("Recording"),
        max_length=200,
        help_text=_("Chrome DevTools Recorder (JSON), Selenium IDE (.side), or an export of Circuy (JSON, YAML)."),
    )

    def clean_file(self) -> ImportedFile:
        """Return what the file holds, or say what is wrong with it."""
        file = self.cleaned_data["file"]
        language = get_language() or "fr"
        if file.size > MOST_MEGABYTES * 1_000_000:
            raise forms.ValidationError(gettext("At most %(max)d MB are accepted.") % {"max": MOST_MEGABYTES})
        try:
            return read_recordings(file.read(), locale=language[:2], started_at=time.time())
        except ImportFileError as error:
            raise forms.ValidationError(str(error)) from error


def import_view(request: HttpRequest, opts: Any) -> HttpResponse:
    """Ask for a file; import its recordings, and say what of them could not be taken over."""
    require(request, Role.AUTHOR)
    organizations = organizations_where(request, Role.AUTHOR)
    form = ImportForm(request.POST or None, request.FILES or None, organizations=organizations)
    if request.method == "POST" and form.is_valid():
        imported: ImportedFile = form.cleaned_data["file"]
        count = sum(
            _imported(form.chosen_organization(), signed_in(request), recording, request)
            for recording in imported.recordings
        )
        if count:
            said = ngettext("One recording was imported.", "%(n)d recordings were imported.", count) % {"n": count}
            messages.success(request, said)
            return HttpResponseRedirect(reverse("admin:shadow_observationsession_changelist"))
        form.add_error("file", gettext("Nothing in this file can be taken over."))
    context = {"title": gettext("Import a recording"), "form": form, "opts": opts}
    template = "admin/shadow/observationsession/import.html"
    return page(request, template, context, status=422 if form.errors else 200)


def _imported(organization: Organization, member: User, recording: Recording, request: HttpRequest) -> bool:
    if recording.unsupported:
        left_out = ", ".join(f"{one.step} {one.command} ({one.reason})" for one in recording.unsupported[:20])
        messages.warning(
            request, gettext("Left out of “%(title)s”: %(steps)s") % {"title": recording.title, "steps": left_out}
        )
    if not recording.events:
        return False
    try:
        session_import(
            organization=organization,
            member=member,
            session_id=f"import_{name_clean(recording.title)[:40]}_{new_id().hex[-8:]}",
            machine_id=MACHINE,
            events=recording.events,
        )
    except ServiceError as error:
        messages.error(request, error.detail)
        return False
    return True

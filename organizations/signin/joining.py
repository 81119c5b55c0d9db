"""The page of an invitation's link: GET shows who invites whom, POST accepts."""

from __future__ import annotations

from typing import Any

from allauth.account.utils import perform_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from organizations.errors import ServiceError
from organizations.invitations import account_of, invitation_accept, invitation_find
from organizations.models import Invitation, User
from organizations.signin.forms import JoinForm


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation_view(request: HttpRequest, token: str) -> HttpResponse:
    """Show, or let in. A link that is used, withdrawn, too old or made up answers 410, whichever it is."""
    invitation = invitation_find(token)
    if invitation is None:
        return _show(request, None, status=410)
    user = request.user if request.user.is_authenticated else None
    is_new = user is None and account_of(invitation) is None
    form = JoinForm(request.POST or None) if is_new else None
    if request.method != "POST":
        return _show(request, invitation, form)
    if form is not None and not form.is_valid():
        return _show(request, invitation, form, status=422)
    given = form.cleaned_data if form is not None else {}
    try:
        membership = invitation_accept(
            token=token,
            user=user,
            first_name=given.get("first_name", ""),
            last_name=given.get("last_name", ""),
            password=given.get("password", ""),
        )
    except ServiceError as error:
        if form is not None:
            form.show(error)
        return _show(request, invitation if error.status != 410 else None, form, status=error.status)
    if user is not None:
        return HttpResponseRedirect(reverse("admin:index"))
    response: HttpResponse = perform_login(request, membership.user, redirect_url=reverse("admin:index"))
    return response


def _show(
    request: HttpRequest, invitation: Invitation | None, form: JoinForm | None = None, *, status: int = 200
) -> HttpResponse:
    user = request.user if isinstance(request.user, User) else None
    context: dict[str, Any] = {
        "title": _("Invitation"),
        "invitation": invitation,
        "form": form,
        "somebody_else": user is not None and invitation is not None and user.email != invitation.email,
        "signed_in": user is not None,
    }
    return render(request, "account/invitation.html", context, status=status)

"""The back-office's own sign-in: a key in the session, apart from any other sign-in of the same site."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast
from urllib.parse import urlencode

from django.contrib.auth.hashers import make_password
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme

from .languages import language_of
from .models import Employee
from .selectors import PARIS

SESSION_KEY = "maison_oree_employee"

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


class EmployeeRequest(HttpRequest):
    """A request whose sender signed in."""

    employee: Employee


EmployeeView = Callable[Concatenate[EmployeeRequest, P], HttpResponse]


def authenticate(*, email: str, password: str) -> Employee | None:
    """The employee with that e-mail and password; an unknown e-mail takes as long as a wrong password."""
    employee = Employee.objects.filter(email__iexact=email.strip()).first()
    if employee is None:
        make_password(password)
        return None
    return employee if employee.check_password(password) else None


def sign_in(request: HttpRequest, employee: Employee) -> None:
    """Remember the employee under a new session key, so that a key known beforehand opens nothing."""
    request.session.cycle_key()
    request.session[SESSION_KEY] = employee.pk


def sign_out(request: HttpRequest) -> None:
    request.session.pop(SESSION_KEY, None)
    request.session.cycle_key()


def current_employee(request: HttpRequest) -> Employee | None:
    pk = request.session.get(SESSION_KEY)
    return Employee.objects.filter(pk=pk).first() if pk is not None else None


def safe_next(request: HttpRequest, target: str | None) -> str:
    """Where to go after signing in: `target` if it is a page of this back-office, its first page otherwise."""
    home = reverse("demo:dashboard")
    if (
        target
        and target.startswith(home)
        and url_has_allowed_host_and_scheme(
            target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
        )
    ):
        return target
    return home


def house_page(view: View[P]) -> View[P]:
    """A page of the house: in the visitor's language, on Paris time, with the house's own "not found"."""

    @wraps(view)
    def in_their_language(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        language = language_of(request)
        with translation.override(language), timezone.override(PARIS):
            try:
                response = view(request, *args, **kwargs)
            except Http404:
                response = render(request, "maison_oree/not_found.html", status=404)
        response.headers["Content-Language"] = language
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        return response

    return in_their_language


def employee_page(view: EmployeeView[P]) -> View[P]:
    """A page for signed-in employees; others are sent to sign in, then back here."""

    @house_page
    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        employee = current_employee(request)
        if employee is None:
            wanted = request.get_full_path() if request.method == "GET" else reverse("demo:dashboard")
            return HttpResponseRedirect(f"{reverse('demo:sign_in')}?{urlencode({'next': wanted})}")
        request = cast(EmployeeRequest, request)
        request.employee = employee
        return view(request, *args, **kwargs)

    return guarded

"""The language of the back-office's pages: chosen and remembered apart from that of the rest of the site."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation.trans_real import parse_accept_lang_header

# By their own names, which are the same in every language.
LANGUAGES = {"fr": "Français", "en": "English"}
DEFAULT = "fr"
COOKIE = "maison_oree_language"
COOKIE_S = 365 * 24 * 3600


def language_of(request: HttpRequest) -> str:
    """The one chosen on a page, else the browser's favourite of ours, else French."""
    chosen = request.COOKIES.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    for accepted, weight in parse_accept_lang_header(request.headers.get("Accept-Language", "").lower()):
        language = accepted.partition("-")[0]
        if language in LANGUAGES and weight > 0:
            return language
    return DEFAULT


def remember_language(request: HttpRequest, response: HttpResponse, language: str) -> None:
    """Keep a choice for a year, for the back-office's pages alone."""
    response.set_cookie(
        COOKIE,
        language,
        max_age=COOKIE_S,
        path=reverse("demo:dashboard"),
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )

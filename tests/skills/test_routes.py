"""Which learnt page a path belongs to."""

import pytest

from organizations.errors import ServiceError
from skills.routes import matches, path_clean, pattern_clean, prefixes, specificity, static_prefix


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("/invoices/new", "/invoices/new", True),
        ("/invoices/new", "/invoices/12", False),
        ("/invoices/*", "/invoices/12", True),
        ("/invoices/*", "/invoices", False),
        ("/invoices/*", "/invoices/12/lines", False),
        ("/invoices/*/lines", "/invoices/12/lines", True),
        ("/docs/**", "/docs", True),
        ("/docs/**", "/docs/a/b/c", True),
        ("/docs/**", "/doc", False),
        ("/", "/", True),
        ("/", "/a", False),
        ("/**", "/a/b", True),
    ],
)
def test_a_star_is_one_segment_and_two_stars_are_any_number(pattern, path, fits):
    assert matches(pattern, path) is fits


def test_the_index_finds_every_pattern_that_matches():
    for pattern, path in [("/a/b/*", "/a/b/c"), ("/a/**", "/a/b/c"), ("/*", "/a"), ("/**", "/a"), ("/", "/")]:
        assert matches(pattern, path)
        assert static_prefix(pattern) in prefixes(path)


def test_more_literal_segments_win_and_two_stars_come_last():
    patterns = ["/**", "/invoices/**", "/invoices/*", "/*/new", "/invoices/new"]
    by_preference = sorted(patterns, key=specificity, reverse=True)
    assert by_preference[0] == "/invoices/new"
    assert by_preference[-1] == "/**"
    assert by_preference.index("/invoices/*") < by_preference.index("/invoices/**")


@pytest.mark.parametrize(
    ("route", "path"),
    [("/a/b/", "/a/b"), ("/a?x=1", "/a"), ("/a#b", "/a"), ("/a//b", "/a/b"), ("/", "/")],
)
def test_query_fragment_and_trailing_slash_do_not_count(route, path):
    assert path_clean(route) == path


@pytest.mark.parametrize("route", ["a/b", "", "//evil.com/a", "https://app.example/a", "/" + "a" * 600])
def test_what_is_not_a_path_is_refused_by_name(route):
    with pytest.raises(ServiceError) as refused:
        path_clean(route)
    assert refused.value.code == "invalid_route"


@pytest.mark.parametrize("pattern", ["invoices/*", "/a/**/b", "/a b", "/in*ices", "/a?b=1", "/" + "x" * 600])
def test_a_pattern_that_could_not_match_as_meant_is_refused(pattern):
    with pytest.raises(ServiceError) as refused:
        pattern_clean(pattern)
    assert refused.value.code == "invalid_route_pattern"


def test_a_pattern_has_one_written_form():
    assert pattern_clean(" /invoices//*/ ") == "/invoices/*"

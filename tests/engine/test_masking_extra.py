from __future__ import annotations

import pytest

from engine.masking import ExtraPatternError, compile_extra, mask, mask_counted

HIDDEN = "[SENSITIVE]"


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("CLI-####", "Client CLI-2041 actif", f"Client {HIDDEN} actif"),
        ("CLI-####", "client cli-2041", f"client {HIDDEN}"),
        ("CLI-####", "XCLI-2041, CLI-20415, CLI-204", "XCLI-2041, CLI-20415, CLI-204"),
        ("CLI-####", "CLI‑２０４１", HIDDEN),
        ("CLI-####", "联CLI-2041系", f"联{HIDDEN}系"),
        ("Dossier ??-*", "Dossier AB-Durand2026, suite", f"{HIDDEN}, suite"),
        ("projet zéphyr", "Le Projet Zéphyr avance", f"Le {HIDDEN} avance"),
        (r"\#\#####", "#1042 #10421", "#1042 #10421"),
        (r"\#####", "Ticket #1042", f"Ticket {HIDDEN}"),
        (r"a\\b.c", r"a\b.c axbxc", rf"{HIDDEN} axbxc"),
        ("(x)[y]{2}|z+$", "(X)[y]{2}|z+$", HIDDEN),
        ("######", "code 123456, année 2026", f"code {HIDDEN}, année 2026"),
    ],
)
def test_patterns_of_an_organization_hide_what_they_describe(pattern, text, expected):
    assert mask(text, compile_extra([pattern])) == expected


def test_they_come_before_the_rules_that_all_share():
    text = "CLI-0612345678 06 12 34 56 78"
    assert mask(text, compile_extra(["CLI-##########"])) == f"{HIDDEN} [SENSITIVE_NUMERIC]"


def test_they_hide_nothing_inside_tokens():
    extra = compile_extra(["sensitive", "email"])
    once = mask("a@b.fr, e-mail, email", extra)
    assert once == f"[EMAIL], e-mail, {HIDDEN}"
    assert mask_counted(once, extra) == (once, 0)


@pytest.mark.parametrize(
    ("patterns", "index", "code"),
    [
        (["CLI-####", "  "], 1, "empty"),
        (["\u200b"], 0, "empty"),
        (["C" * 81], 0, "too_long"),
        (["CLI-####"] * 51, 50, "too_many"),
        (["*"], 0, "too_broad"),
        (["####"], 0, "too_broad"),
        (["a *"], 0, "too_broad"),
        (["CLI-\\"], 0, "bad_escape"),
        (["CLI*1"], 0, "open_star"),
        (["CLI**"], 0, "open_star"),
        (["CLI-*#"], 0, "open_star"),
        (["CLI-*é"], 0, "open_star"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place_and_reason(patterns, index, code):
    with pytest.raises(ExtraPatternError) as refused:
        compile_extra(patterns)
    assert (refused.value.index, refused.value.code) == (index, code)

"""What is typed into a field that holds a secret is kept nowhere: no table, no log, no file, no answer."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from shadow.admin_export import FORMS, competence_document
from shadow.models import Competence
from shadow.secret_fields import says_secret
from shadow.services import session_import
from tests.fixtures import Tenant
from tests.shadow.showing import LIST, REFUND, browser_of_author, event, presence, server_of, target

SECRETS = ("hunter2-Tr0ub4dor", "4970101234567890", "83271905", "s3cr3t-t0ken", "camille@oree-client.example")


def typed() -> list[dict[str, Any]]:
    """Secrets in every way in which a browser, or somebody else's recording, may send them."""
    password, card, code, token, person = SECRETS
    shown = target("input", "Mot de passe", "#password", type="text")
    return [
        # Shown first, hidden later: the sign that it is one comes after the value.
        event(1, "fill", LIST, target=shown, value=password),
        event(2, "fill", LIST, target={**shown, "type": "password"}, value=password, secret=True),
        event(3, "fill", LIST, target=target("input", "", "#pw2", type="password"), value=password),
        event(4, "fill", LIST, target=target("input", "", "#pw2", type="text"), value=password + "!"),
        event(5, "fill", REFUND, target=target("input", "Cryptogramme visuel", "#cvv"), value=code),
        event(6, "fill", REFUND, target=target("input", "Code reçu par SMS", "#otp"), value=code, option=code),
        event(7, "fill", REFUND, target=target("input", "", "input[name='apiKey']", text=token), value=token),
        event(8, "fill", REFUND, target=target("input", "Jeton", "#csrf", type="hidden"), value=token),
        event(9, "fill", REFUND, target=target("input", "Client", "#client", row=person), value=f"Pour {person}"),
        event(10, "fill", REFUND, target=target("input", "Note", "#note"), value=f"carte {card}"),
        event(11, "navigate", f"/connexion?token={token}&page=2#access_token={token}", cause="form"),
        event(12, "click", REFUND, target=target("button", f"Écrire à {person}", f"a[href='mailto:{person}']")),
        event(13, "upload", REFUND, target=target("input", "Pièce", "#file"), files=[f"{person}.pdf"]),
        event(14, "click", REFUND, target=target("button", "Valider", "#ok"), password=password, nested={"v": code}),
    ]


def everything_kept() -> str:
    """Return all rows of all tables, as text."""
    said = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT string_agg(t::text, chr(10)) FROM "{table}" t')  # noqa: S608
            said.append(str(cursor.fetchone()[0]))
    return "\n".join(said)


@pytest.mark.parametrize("backwards", [False, True])
def test_no_secret_is_in_a_table_a_log_a_file_an_export_or_an_answer(
    oree: Tenant, settings, tmp_path: Path, caplog: Any, capfd: Any, backwards: bool
) -> None:
    settings.COMPETENCES_DIR = tmp_path / "competences"
    caplog.set_level(logging.DEBUG)
    shower = browser_of_author(oree)
    answers = [shower.send(presence()), shower.post("start")]
    events = typed()
    for one in reversed(events) if backwards else events:
        answers.append(shower.send(one))
    answers += [shower.understanding(), shower.post("stop"), shower.post("feedback", action="validate")]
    # What no event said, a workflow that somebody edited may say again.
    workflow = shower.build(f"Écrire à {SECRETS[4]}")
    for step in workflow["steps"]:
        if step["kind"] == "fill" and "Crypto" in step["target"]["name"]:
            step.update(secret=False, value=SECRETS[2])
    kept = shower.persist(workflow)
    assert kept.status_code == 201, kept.content
    answers += [kept, shower.send({"sequence": "x", "value": SECRETS[0]}, session_id="sess_2")]
    files = [path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.yaml")]
    assert len(files) == 1
    written = competence_document(Competence.objects.get())
    places = {
        "exports": "".join(form.write(written, "https://app.oree.example") for form in FORMS.values()),
        "database": everything_kept(),
        "logs": caplog.text + "".join(capfd.readouterr()),
        "file": files[0],
        "answers": "".join(answer.content.decode() for answer in answers),
    }
    assert "Mot de passe" in places["database"]
    for name, said in places.items():
        found = [secret for secret in SECRETS if secret in said]
        assert found == [], f"{found} in the {name}"


def test_a_recording_from_elsewhere_is_cleaned_like_any_other(oree: Tenant) -> None:
    stopped = session_import(
        organization=oree.organization,
        member=oree.author,
        session_id="import_1",
        machine_id="import",
        events=typed(),
    )
    assert stopped.steps_count > 3
    said = everything_kept()
    assert [secret for secret in SECRETS if secret in said] == []


def test_the_step_is_understood_without_its_value(oree: Tenant) -> None:
    shower = server_of(oree)
    steps = shower.show([event(1, "fill", target=target("input", "Mot de passe", "#pw", type="password"), value="x")])
    (step,) = steps
    assert step["secret"] is True
    assert "value" not in step
    assert "parameter" not in step


@pytest.mark.parametrize(
    "name",
    [
        "Mot de passe",
        "Nouveau mot de passe",
        "MDP",
        "password",
        "userPassword",
        "input[name='pass_word']",
        "Code de vérification",
        "Code reçu par SMS",
        "Code PIN",
        "code",
        "One-time code",
        "CVV",
        "Cryptogramme visuel",
        "Numéro de carte",
        "card-number",
        "Clé d'API",
        "api_key",
        "Réponse secrète",
        "Numéro de sécurité sociale",
    ],
)
def test_fields_of_these_names_hold_secrets(name: str) -> None:
    assert says_secret(name)


@pytest.mark.parametrize(
    "name",
    [
        "Code postal",
        "Code promo",
        "Montant",
        "Carte de visite",
        "Passager",
        "Compass",
        "Epingle",
        "Nom de la carte",
        "Pinot noir",
        "Clé de répartition",
        "Numéro de commande",
        "Adresse de livraison",
    ],
)
def test_fields_of_these_names_do_not(name: str) -> None:
    assert not says_secret(name)

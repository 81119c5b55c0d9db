from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from demo.models import Customer

TYPED = {
    "name": "Élise Fontanel",
    "kind": "particulier",
    "email": "elise@example.com",
    "phone": "06 39 98 12 34",
    "street": "14 rue des Lilas",
    "postal_code": "75011",
    "city": "Paris",
    "note": "",
}


def test_a_new_customer_is_written_and_shown(employee_client: Client) -> None:
    response = employee_client.post(reverse("demo:customer_create"), TYPED, follow=True)
    assert response.redirect_chain == [(Customer.objects.get().get_absolute_url(), 302)]
    assert "La fiche de Élise Fontanel est enregistrée." in response.content.decode()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": ""}, "Ce champ est obligatoire."),
        ({"postal_code": "7501"}, "Le code postal comporte cinq chiffres."),
        ({"phone": "allô"}, "Saisissez un numéro de téléphone valide."),
        ({"email": "elise"}, "Saisissez une adresse e-mail valide."),
        ({"email": "TRAITEUR@example.com"}, "Un client utilise déjà cette adresse e-mail."),
    ],
)
def test_what_is_wrong_is_said_in_french_next_to_its_field(
    employee_client: Client, customer: Customer, change: dict[str, str], message: str
) -> None:
    text = employee_client.post(reverse("demo:customer_create"), TYPED | change).content.decode()
    assert message in text.replace("&#x27;", "'")
    assert 'value="14 rue des Lilas"' in text
    assert Customer.objects.count() == 1


def test_a_customer_keeps_its_own_address_when_changed(employee_client: Client, customer: Customer) -> None:
    page = reverse("demo:customer_edit", args=[customer.pk])
    assert 'value="Traiteur Vaubrun"' in employee_client.get(page).content.decode()
    employee_client.post(page, TYPED | {"email": customer.email, "name": "Traiteur Vaubrun et Fils"})
    customer.refresh_from_db()
    assert customer.name == "Traiteur Vaubrun et Fils"


def test_customers_are_found_by_name_city_and_kind(employee_client: Client, customer: Customer) -> None:
    employee_client.post(reverse("demo:customer_create"), TYPED)
    page = reverse("demo:customer_list")

    def names(**query: str) -> list[str]:
        return [found.name for found in employee_client.get(page, query).context["page"]]

    assert names(q="tours") == ["Traiteur Vaubrun"]
    assert names(type="particulier") == ["Élise Fontanel"]
    assert names(q="fontanel", type="professionnel") == []

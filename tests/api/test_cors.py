"""Which pages may read the API's answers."""

from tests.fixtures import ORIGIN, ApiFromPage

BODY = {"question": "Bonjour ?", "route": "/nulle/part"}


def preflight(origin):
    return ApiFromPage().options("/v1/ai/ask", headers={"Origin": origin, "Access-Control-Request-Method": "POST"})


def test_a_preflight_is_answered_for_a_known_origin(oree):
    response = preflight(ORIGIN)
    assert response.status_code == 204
    assert response["Access-Control-Allow-Origin"] == ORIGIN
    assert "authorization" in response["Access-Control-Allow-Headers"].lower()
    assert "Access-Control-Allow-Credentials" not in response


def test_a_preflight_of_an_unknown_origin_reveals_nothing(oree):
    assert "Access-Control-Allow-Origin" not in preflight("https://evil.example")


def test_the_answer_may_be_read_by_the_keys_own_page(oree):
    response = oree.api().post("/v1/ai/ask", BODY, format="json")
    assert response["Access-Control-Allow-Origin"] == ORIGIN
    assert "Origin" in response["Vary"]
    assert "Location" in response["Access-Control-Expose-Headers"]


def test_an_origin_of_one_organization_does_not_read_anothers_answers(oree, stranger):
    from organizations.keys import sdk_key_set_origins
    from organizations.scoping import tenant_scope

    with tenant_scope(stranger.organization.id):
        sdk_key_set_origins(key=stranger.key, actor=stranger.owner, allowed_origins=["https://app.duval.example"])
    response = oree.api(Origin="https://app.duval.example").post("/v1/ai/ask", BODY, format="json")
    assert response.status_code == 403
    assert response.json()["code"] == "origin_not_allowed"


def test_a_server_with_a_secret_key_needs_no_origin(oree):
    from organizations.keys import sdk_key_create
    from organizations.models import SdkKey

    _key, value = sdk_key_create(
        organization=oree.organization, actor=oree.owner, name="Serveur", kind=SdkKey.Kind.SECRET
    )
    client = ApiFromPage(headers={"Authorization": f"Bearer {value}"})
    assert client.post("/v1/ai/ask", BODY, format="json").status_code == 200

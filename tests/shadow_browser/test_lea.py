"""The conversation with Léa and the recording's bar: what they show, what they do, and for whom."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.axe import violations
from tests.shadow_browser.conftest import STEPS, AddPage, Show, Talk, says, understands
from tests.widget.acting import focused, part, until
from tests.widget.circuy_server import CircuyServer, Reply

PAGE = """<main><h1>Commandes</h1><p><button id=a>Ouvrir</button> <button id=b>Expédier</button></p>
<p><a href=/clients>Clients</a></p></main>"""


def chat_texts(server: CircuyServer) -> list[str]:
    return [call.body["text"] for call in server.asked("/v1/chat")]


def corner(page: Page) -> str:
    """Where the bar stands in the window."""
    box = part(page, "rec-bar").bounding_box()
    assert box is not None
    return f"{'top' if box['y'] < 300 else 'bottom'} {'left' if box['x'] < 300 else 'right'}"


def test_a_task_is_shown_from_the_first_word_to_the_review(show: Show, add_page: AddPage) -> None:
    add_page("/clients", "<h1>Clients</h1>")
    shown = show(PAGE)
    page, server = shown.page, shown.server
    expect(part(page, "lea")).to_be_hidden()
    expect(part(page, "rec-line")).to_have_text("J'observe. Fais ta tâche.")
    page.locator("#a").click()
    expect(part(page, "rec-count")).to_have_text("1 action")
    understands(server, STEPS[0])
    expect(part(page, "rec-line")).to_have_text("Ouvrir « Commandes »", timeout=15_000)
    page.locator("a").click()
    page.wait_for_url("**/clients")
    expect(part(page, "rec-bar")).to_be_visible()
    says(server, "J'ai observé 2 étapes.\nC'est correct ?", "reviewing", steps=STEPS, choices=["Oui", "Annule tout"])
    part(page, "rec-stop").click()
    expect(part(page, "rec-bar")).to_be_hidden()
    expect(part(page, "lea-steps").locator("li")).to_have_count(2)
    expect(part(page, "lea-steps").locator("li").nth(0)).to_contain_text("sûr")
    expect(part(page, "lea-steps").locator("li").nth(1)).to_contain_text("à vérifier")
    expect(part(page, "lea-steps").locator("li").nth(1)).to_contain_text("Plusieurs éléments")
    assert focused(page) == "lea-field"
    review = {"title": "Ouvrir une commande", "review_url": "/admin/tours/tour/7/review/"}
    says(server, "Tâche apprise et sauvegardée.", "persisted", tour=review)
    part(page, "lea-choice").first.click()
    expect(part(page, "lea-review")).to_have_attribute("href", f"{server.url}/admin/tours/tour/7/review/")
    assert chat_texts(server) == ["Observe ce que je fais", "C'est fini", "Oui"]
    bodies = [call.body for call in server.asked("/v1/chat")]
    assert len({(body["session"], body["session_id"], body["machine_id"]) for body in bodies}) == 1
    assert all(call.headers["Authorization"] == "Bearer rt_1" for call in server.asked("/v1/chat"))
    page.reload()
    expect(part(page, "lea-reply")).to_have_count(4)
    expect(part(page, "lea-review")).to_be_visible()


def test_nothing_is_recorded_before_it_is_asked_for_nor_in_a_pause(
    talk: Talk, show: Show, server: CircuyServer
) -> None:
    page = talk(PAGE)
    page.locator("#a").click()
    shown = show(PAGE)
    page = shown.page
    page.locator("#a").click()
    part(page, "rec-pause").click()
    expect(part(page, "rec-pause")).to_have_text("Reprendre")
    page.locator("#b").click()
    part(page, "rec-pause").click()
    page.locator("#a").click()
    shown.wait_for("click", 2)
    assert shown.told() == ["click Ouvrir", "pause", "resume", "click Ouvrir"]


def test_the_last_action_is_taken_back_with_what_followed_from_it(show: Show, add_page: AddPage) -> None:
    add_page("/clients", "<h1>Clients</h1>")
    shown = show(PAGE)
    page = shown.page
    page.locator("#a").click()
    page.locator("a").click()
    page.wait_for_url("**/clients")
    expect(part(page, "rec-count")).to_have_text("2 actions")
    part(page, "rec-undo").click()
    expect(part(page, "rec-count")).to_have_text("1 action")
    (undo,) = shown.wait_for("undo")
    taken = {event["sequence"]: event["kind"] for event in shown.events()}
    assert [taken[sequence] for sequence in undo["undone"]] == ["click", "navigate"]


def test_the_bar_and_the_conversation_are_usable_with_the_keyboard_alone(show: Show) -> None:
    shown = show(PAGE)
    page = shown.page
    part(page, "rec-move").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    assert corner(page) == "top right"
    part(page, "rec-talk").press("Enter")
    expect(part(page, "lea")).to_be_visible()
    assert focused(page) == "lea-field"
    page.keyboard.press("Escape")
    expect(part(page, "lea")).to_be_hidden()
    assert focused(page) == "rec-talk"
    part(page, "rec-pause").press("Space")
    expect(part(page, "rec-line")).to_contain_text("En pause")
    page.reload()
    expect(part(page, "rec-line")).to_contain_text("En pause")
    assert corner(page) == "top right"
    assert shown.events("click", "key") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_kept_out(show: Show, scheme: str, server: CircuyServer) -> None:
    shown = show(PAGE)
    page = shown.page
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    part(page, "rec-pause").click()
    for width in (1_000, 540, 320):
        page.set_viewport_size({"width": width, "height": 640})
        assert part(page, "rec-bar").evaluate("bar => bar.scrollWidth <= bar.clientWidth")
        assert len({button.bounding_box()["y"] for button in page.locator(".rec-button").all()}) == 1  # type: ignore[index]
    assert violations(page, "circuy-recorder") == []
    says(server, "J'ai observé 2 étapes.", "reviewing", steps=STEPS, choices=["Oui", "Non"])
    part(page, "rec-stop").click()
    expect(part(page, "lea-steps")).to_be_visible()
    assert violations(page, "circuy-recorder") == []


def test_what_goes_wrong_is_said_and_can_be_tried_again(talk: Talk, server: CircuyServer, faults: list[str]) -> None:
    page = talk(PAGE)
    server.replies["/v1/chat"] = Reply({"code": "internal", "detail": ""}, 500)
    part(page, "lea-field").fill("Bonjour <img src=x>")
    page.keyboard.press("Enter")
    expect(part(page, "lea-failure")).to_contain_text("Un souci de notre côté")
    says(server, "Dis-moi « observe ce que je fais ».", "idle")
    part(page, "lea-retry").click()
    expect(part(page, "lea-reply").last).to_have_text("Dis-moi « observe ce que je fais ».")
    expect(part(page, "lea-failure")).to_be_hidden()
    expect(part(page, "lea-mine")).to_have_text("Bonjour <img src=x>")
    server.replies["/v1/chat"] = Reply({"code": "recorder_token_invalid", "detail": "Session terminée."}, 401)
    part(page, "lea-observe").click()
    expect(part(page, "lea-failure").first).to_contain_text("Demandez un nouveau lien")
    faults.clear()


def test_a_recording_begun_or_ended_elsewhere_is_seen(talk: Talk, server: CircuyServer) -> None:
    page = talk(PAGE)
    understands(server, recording=True)
    expect(part(page, "rec-bar")).to_be_visible(timeout=20_000)
    understands(server, recording=False)
    page.locator("#a").click()
    expect(part(page, "rec-bar")).to_be_hidden(timeout=20_000)
    expect(part(page, "lea")).to_be_visible()


def test_the_token_is_renewed_before_it_ends(show: Show, server: CircuyServer) -> None:
    server.replies["/v1/recorder/sessions"].body["expires_in"] = 300
    server.replies["/v1/recorder/renew"] = Reply({"token": "rt_2", "expires_in": 1800})
    shown = show(PAGE)
    until(lambda: server.asked("/v1/recorder/renew"), shown.page, 10)
    shown.page.locator("#a").click()
    shown.wait_for("click")
    sent = server.asked("/api/v1/traces/stream/event")[-1]
    assert sent.headers["Authorization"] == "Bearer rt_2"


def test_leaving_lea_gives_the_page_its_widget_back(talk: Talk) -> None:
    page: Page = talk(PAGE)
    part(page, "lea-back").click()
    expect(part(page, "recorder")).to_be_visible()
    part(page, "talk").click()
    part(page, "lea-quit").click()
    expect(part(page, "launcher")).to_be_visible()
    assert page.locator("circuy-recorder").count() == 0

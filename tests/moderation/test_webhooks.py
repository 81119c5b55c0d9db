"""Webhooks out: signed, retried, told once, and never to a private address."""

from __future__ import annotations

import ipaddress
import json
import re
import socket
import threading
import time
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from moderation.models import Channels, Notification, WebhookEndpoint
from moderation.notifications import public_http
from moderation.notifications.errors import DeliveryError
from moderation.notifications.outbox import notification_deliver
from moderation.notifications.public_http import is_public, post_public
from moderation.notifications.webhooks import MOST_ENDPOINTS, signature
from moderation.services import review_decide
from moderation.states import Verb
from skills.models import PageSkill
from tests.admin.conftest import browser_of, text_of
from tests.fakes.http_server import HttpServer
from tests.moderation.conftest import deliver_all

ADD = "/admin/moderation/webhookendpoint/add/"


@pytest.fixture
def hook(settings):
    settings.ALLOW_PRIVATE_ADDRESSES = True
    server = HttpServer()
    yield server
    server.close()


@pytest.fixture
def endpoint(oree, hook):
    Channels.objects.create(organization=oree.organization, email_on=False)
    return WebhookEndpoint.objects.create(
        organization=oree.organization, url=hook.url, secret="shared", events=["submitted", "decided"]
    )


@pytest.fixture
def skill(oree, endpoint):
    return oree.learn(approve=False)


@pytest.fixture(scope="module")
def verify():
    """What docs/notifications.md tells receivers to do."""
    example = re.search(
        r"```python\n(.*?)```", (Path(settings.BASE_DIR) / "docs" / "notifications.md").read_text(), re.S
    )
    names = {}
    exec(example[1], names)  # noqa: S102
    return names["is_from_circuy"]


def approve(oree, skill):
    review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.APPROVE,
        seen_digest=skill.digest,
    )


def test_a_submission_is_told_signed_as_the_docs_say(oree, skill, hook, verify):
    deliver_all()
    request = hook.received[0]
    assert verify("shared", request.headers["Circuy-Signature"], request.body)
    assert not verify("other", request.headers["Circuy-Signature"], request.body)
    assert not verify("shared", request.headers["Circuy-Signature"], request.body + b" ")
    for header in (
        "",
        "t=1,v1=",
        "v1=" + "0" * 64,
        "t=é,v1=é",
        signature("shared", int(time.time()) - 400, request.body),
    ):
        assert not verify("shared", header, request.body)
    told = json.loads(request.body)
    assert (told["event"], told["organization"]) == ("review.submitted", "oree")
    assert told["id"] == request.headers["Circuy-Id"]
    assert (told["data"]["title"], told["data"]["digest"]) == ("Création de facture", skill.digest)


def test_a_decision_is_told_as_it_was(oree, skill, hook):
    approve(oree, skill)
    deliver_all()
    events = [json.loads(request.body) for request in hook.received]
    assert [event["event"] for event in events] == ["review.submitted", "review.decided"]
    assert events[0]["data"]["status"] == "pending_review"
    decided = events[1]["data"]
    assert (decided["decision"], decided["decided_by"], decided["status"]) == (
        "approve",
        str(oree.reviewer),
        "published",
    )


def test_only_what_was_asked_for_is_told(oree, skill, endpoint, hook):
    WebhookEndpoint.objects.update(events=["decided"])
    Notification.objects.all().delete()
    approve(oree, skill)
    deliver_all()
    assert [request.headers["Circuy-Event"] for request in hook.received] == ["review.decided"]


@pytest.mark.parametrize("status", [500, 404, 302, 0, 408])
def test_a_passing_fault_is_tried_again_under_the_same_id(skill, hook, status):
    hook.fail_with(status, taken=True, headers={"Location": "http://127.0.0.1:1/"} if status == 302 else None)
    row = Notification.objects.get()
    assert not notification_deliver(row.pk)
    deliver_all()
    assert [request.headers["Circuy-Id"] for request in hook.received] == [str(row.pk), str(row.pk)]
    row.refresh_from_db()
    assert row.state == Notification.State.SENT


def test_a_rate_limit_is_waited_for(skill, hook):
    hook.fail_with(429, headers={"Retry-After": "99"})
    row = Notification.objects.get()
    notification_deliver(row.pk)
    row.refresh_from_db()
    assert 80 < (row.next_try_at - timezone.now()).total_seconds() <= 99


def test_an_address_that_says_gone_is_given_up(skill, hook):
    hook.fail_with(410)
    row = Notification.objects.get()
    assert not notification_deliver(row.pk)
    row.refresh_from_db()
    assert row.state == Notification.State.DEAD


def test_a_removed_webhook_is_told_nothing_more(skill, endpoint, hook):
    endpoint.delete()
    deliver_all()
    assert hook.received == []


def test_an_answer_without_end_is_cut(skill, hook):
    hook.fail_with(200, body=b"x" * 5_000_000)
    assert notification_deliver(Notification.objects.get().pk)


def test_a_server_that_never_ends_its_answer_is_left(hook, monkeypatch):
    monkeypatch.setattr(public_http, "DEADLINE_S", 0.3)
    monkeypatch.setattr(public_http, "CONNECT_TIMEOUT_S", 60)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(DeliveryError):
        post_public(f"http://127.0.0.1:{silent.getsockname()[1]}/", b"{}", {})


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0.0.0.0",  # noqa: S104
        "10.0.0.8",
        "172.16.3.4",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "168.63.129.16",
        "224.0.0.1",
        "localhost",
        "[::1]",
        "[::]",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "[::ffff:127.0.0.1]",
        "[::ffff:a9fe:a9fe]",
        "[::7f00:1]",
        "[2002:7f00:1::]",
        "[64:ff9b::7f00:1]",
        "[64:ff9b:1::a00:1]",
    ],
)
def test_a_private_address_is_refused_and_never_connected_to(host, monkeypatch):
    monkeypatch.setattr(socket, "create_connection", lambda *_args: pytest.fail("connected"))
    with pytest.raises(DeliveryError) as refused:
        post_public(f"https://{host}/hook", b"{}", {})
    assert refused.value.permanent


def test_a_name_that_also_means_a_private_address_is_refused(monkeypatch):
    def both(*_args, **_more):
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in ("93.184.215.14", "10.0.0.1")
        ]

    monkeypatch.setattr(socket, "getaddrinfo", both)
    monkeypatch.setattr(socket, "create_connection", lambda *_args: pytest.fail("connected"))
    with pytest.raises(DeliveryError):
        post_public("https://rebinding.example/hook", b"{}", {})


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch):
    """A name that means something else the second time it is asked for is not asked for a second time."""
    asked, connected = [], []

    def once(host, port, **_more):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", port))]

    def connect(address, *_args):
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", once)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(DeliveryError):
        post_public("https://hooks.example/x", b"{}", {})
    assert asked == ["hooks.example"]
    assert connected == [("93.184.215.14", 443)]


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example/x",
        "file:///etc/passwd",
        "https://user:pass@hooks.example/x",
        "https://hooks.example\\@127.0.0.1/x",
        "https://hooks.example/x y",
        "https://hooks.example:99999/x",
        "https:///x",
        "https://hooks.example/\r\nHost: evil",
        "",
    ],
)
def test_an_address_that_is_not_plainly_https_is_refused(url):
    with pytest.raises(DeliveryError) as refused:
        post_public(url, b"{}", {})
    assert refused.value.permanent


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b::808:808"]
)
def test_the_public_internet_is_public(address):
    assert is_public(ipaddress.ip_address(address))


def test_a_secret_is_shown_once(oree, hook):
    browser = browser_of(oree.owner)
    response = browser.post(ADD, {"url": hook.url, "events": ["submitted"]})
    endpoint = WebhookEndpoint.objects.get()
    assert endpoint.secret in response.content.decode()
    assert "Copiez-le maintenant : il n’est affiché qu’une fois." in text_of(response)
    assert "no-store" in response.headers["Cache-Control"]
    change = reverse("admin:moderation_webhookendpoint_change", args=[endpoint.pk])
    for page in (change, reverse("admin:channels", args=[oree.organization.pk]), "/admin/moderation/webhookendpoint/"):
        assert endpoint.secret not in browser.get(page).content.decode()


def test_a_secret_is_replaced(oree, endpoint):
    browser = browser_of(oree.owner)
    page = browser.post(reverse("admin:moderation_webhookendpoint_secret", args=[endpoint.pk]))
    endpoint.refresh_from_db()
    assert endpoint.secret != "shared"
    assert endpoint.secret in page.content.decode()


@pytest.mark.parametrize(
    "url", ["https://127.0.0.1/x", "http://hooks.example/", "x", "https://" + "a" * 600 + ".example"]
)
def test_a_wrong_address_is_told_at_its_field(oree, url):
    response = browser_of(oree.owner).post(ADD, {"url": url, "events": ["submitted"]})
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"url"}
    assert not WebhookEndpoint.objects.exists()


@pytest.mark.parametrize("events", [[], ["everything"]])
def test_what_it_is_told_has_to_be_chosen(oree, hook, events):
    response = browser_of(oree.owner).post(ADD, {"url": hook.url, "events": events})
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"events"}


def test_there_are_only_so_many(oree, hook):
    WebhookEndpoint.objects.bulk_create(
        WebhookEndpoint(organization=oree.organization, url=hook.url, secret="s", events=[])
        for _n in range(MOST_ENDPOINTS)
    )
    assert browser_of(oree.owner).post(ADD, {"url": hook.url, "events": ["submitted"]}).status_code == 422


def test_a_test_goes_through_the_outbox_and_is_seen_in_the_list(oree, endpoint, hook):
    browser = browser_of(oree.owner)
    change = reverse("admin:moderation_webhookendpoint_change", args=[endpoint.pk])
    browser.post(reverse("admin:moderation_webhookendpoint_test", args=[endpoint.pk]))
    deliver_all()
    assert hook.received[0].headers["Circuy-Event"] == "review.test"
    assert re.search(r"Essai .* Envoyé", text_of(browser.get(change)))


def test_a_given_up_message_is_tried_again_from_its_page(oree, skill, hook):
    hook.fail_with(410)
    row = Notification.objects.get()
    notification_deliver(row.pk)
    browser = browser_of(oree.owner)
    page = reverse("admin:moderation_notification_change", args=[row.pk])
    assert "Réessayer" in text_of(browser.get(page))
    assert browser_of(oree.reviewer).get(page).status_code == 404
    retry = reverse("admin:moderation_notification_retry", args=[row.pk])
    assert browser.get(retry).status_code == 405
    assert browser_of(oree.reviewer).post(retry).status_code == 404
    browser.post(retry)
    assert notification_deliver(row.pk)
    assert "Réessayer" not in text_of(browser.get(page))


def serve_raw(answer: bytes, *, then_wait: bool = False) -> tuple[str, threading.Event]:
    """Answer one request with these bytes; and, if told so, keep the connection open until the event is set."""
    server, done = socket.create_server(("127.0.0.1", 0)), threading.Event()

    def serve() -> None:
        with server, server.accept()[0] as connection:
            connection.recv(65536)
            connection.sendall(answer)
            if then_wait:
                done.wait(30)

    threading.Thread(target=serve, daemon=True).start()
    return f"http://127.0.0.1:{server.getsockname()[1]}/", done


def test_a_server_that_answers_no_http_is_tried_again_and_its_words_are_not_kept(skill, endpoint):
    endpoint.url, _done = serve_raw(b"\x00hello\r\n\r\n")
    endpoint.save()
    row = Notification.objects.get()
    assert not notification_deliver(row.pk)
    row.refresh_from_db()
    assert (row.state, row.last_error) == (Notification.State.WAITING, "BadStatusLine")


def test_a_success_is_one_before_its_body_has_come(hook, monkeypatch):
    monkeypatch.setattr(public_http, "CONNECT_TIMEOUT_S", 1)
    url, done = serve_raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", then_wait=True)
    assert post_public(url, b"{}", {}).status == 200
    done.set()


def test_an_address_that_leads_nowhere_gives_way_to_the_names_next_one(hook, monkeypatch):
    port = int(hook.url.split(":")[2].split("/")[0])
    found = [
        (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("::1", port, 0, 0)),
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port)),
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: found)
    usual, tried = socket.create_connection, []

    def connect(address, timeout):
        tried.append(address[0])
        if address[0] == "::1":
            raise OSError("unreachable")
        return usual(address, timeout)

    monkeypatch.setattr(socket, "create_connection", connect)
    assert post_public(hook.url, b"{}", {}).status == 200
    assert tried == ["::1", "127.0.0.1"]


@pytest.mark.parametrize("address", ["fec0::1", "::ffff:0:a00:1", "64:ff9b:1::808:808", "64:ff9b:1:2::1", "5f00::1"])
def test_ipv6_of_ones_own_network_is_not_public(address):
    assert not is_public(ipaddress.ip_address(address))

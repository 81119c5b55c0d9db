"""Posting to addresses that customers give: public ones only, with a bound on everything."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import threading
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from moderation.notifications.errors import DeliveryError, seconds_of

CONNECT_TIMEOUT_S = 5
# Of the whole exchange, however slowly the other side speaks.
DEADLINE_S = 15
# Of a name's addresses, those that are tried: a name often has one that leads nowhere from here.
MOST_ADDRESSES = 2
# Not in any private range, and yet a cloud's own.
INSIDE_CLOUDS = frozenset({ipaddress.ip_address("168.63.129.16")})
# IPv6 that is written around an IPv4 address: translated, and compatible.
AROUND_IPV4 = [ipaddress.ip_network(text) for text in ("64:ff9b::/96", "::/96")]
# Site-local, translated within a network (two ranges), and segment routing: inside, whatever ipaddress says of them.
INSIDE_NETWORKS = [
    ipaddress.ip_network(text) for text in ("fec0::/10", "::ffff:0:0:0/96", "64:ff9b:1::/48", "5f00::/16")
]

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the status, and ``Retry-After`` as it was given."""

    status: int
    retry_after: str | None


def wrong_address(url: str) -> str:
    """Return what is wrong with an address that somebody typed, or an empty string."""
    try:
        parts = _parts(url)
        _resolved(parts)
    except DeliveryError as error:
        # A name that cannot be found now may be found tomorrow.
        return str(error) if error.permanent else ""
    return ""


def post_public(url: str, body: bytes, headers: dict[str, str]) -> Answer:
    """POST to a public address and return the head of the answer; its body is not waited for, redirects not followed.

    The name is resolved once, checked, and the connection made to an address that was checked. Raises
    ``DeliveryError``, permanent where the address itself is refused.
    """
    parts = _parts(url)
    addresses = _resolved(parts)
    connection = _connection(parts, [str(address) for address in addresses[:MOST_ADDRESSES]])
    timer = threading.Timer(DEADLINE_S, _hang_up, [connection])
    timer.daemon = True
    timer.start()
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body=body, headers={"User-Agent": "Circuy", **headers})
        response = connection.getresponse()
        return Answer(response.status, response.headers.get("Retry-After"))
    except HTTPException as error:
        # Its text is what the other side sent, whatever that is.
        raise DeliveryError(type(error).__name__) from error
    except OSError as error:
        raise DeliveryError(f"{type(error).__name__}: {error}") from error
    finally:
        timer.cancel()
        connection.close()


def require_success(answer: Answer, *, gone: frozenset[int] = frozenset({410})) -> None:
    """Raise ``DeliveryError`` unless the answer is a success; permanent for the statuses in ``gone``."""
    if 200 <= answer.status < 300:
        return
    if 300 <= answer.status < 400:
        raise DeliveryError(
            _("It redirects elsewhere, which is not followed (%(status)d).") % {"status": answer.status}
        )
    wait = None
    if answer.retry_after is not None or answer.status == 429:
        wait = seconds_of(answer.retry_after)
    raise DeliveryError(f"HTTP {answer.status}", retry_after=wait, permanent=answer.status in gone)


def is_public(address: Address) -> bool:
    """Whether an address is of the public Internet, also where it wraps another one."""
    inner: Address | None = None
    if isinstance(address, ipaddress.IPv6Address):
        teredo = address.teredo
        inner = address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None)
        if inner is None and any(address in network for network in AROUND_IPV4):
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if inner is not None:
        return is_public(inner)
    inside = address in INSIDE_CLOUDS or any(address in network for network in INSIDE_NETWORKS)
    return address.is_global and not address.is_multicast and not inside


def _parts(url: str) -> SplitResult:
    refusal = DeliveryError(_("An address that begins with https:// is expected."), permanent=True)
    try:
        parts = urlsplit(url)
        _port = parts.port  # read only to have it checked
    except ValueError as error:
        raise refusal from error
    schemes = ("https", "http") if settings.ALLOW_PRIVATE_ADDRESSES else ("https",)
    odd = any(character <= " " or character in "\x7f\\" for character in url)
    if parts.scheme not in schemes or not parts.hostname or parts.username is not None or odd or not url.isascii():
        raise refusal
    return parts


def _resolved(parts: SplitResult) -> list[Address]:
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise DeliveryError(_("The server's name cannot be found.")) from error
    addresses = list(dict.fromkeys(ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found))
    if not settings.ALLOW_PRIVATE_ADDRESSES and not all(map(is_public, addresses)):
        raise DeliveryError(_("This address is not on the public Internet."), permanent=True)
    return addresses


def _connection(parts: SplitResult, addresses: list[str]) -> HTTPConnection:
    host = str(parts.hostname)
    if parts.scheme == "https":
        return _PinnedHttps(host, parts.port, addresses=addresses)
    return _PinnedHttp(host, parts.port, addresses=addresses)


def _hang_up(connection: HTTPConnection) -> None:
    sock: socket.socket | None = connection.sock
    if sock is not None:
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)


def _reach(addresses: list[str], port: int, timeout: float | None) -> socket.socket:
    """Return a connection to the first of these addresses that takes one; raises the last one's ``OSError``."""
    *others, last = addresses
    for address in others:
        with suppress(OSError):
            return socket.create_connection((address, port), timeout)
    return socket.create_connection((last, port), timeout)


class _PinnedHttp(HTTPConnection):
    """A connection to given addresses, whatever the name means by then."""

    def __init__(self, host: str, port: int | None, *, addresses: list[str], **more: Any) -> None:
        super().__init__(host, port, timeout=CONNECT_TIMEOUT_S, **more)
        self._addresses = addresses

    def connect(self) -> None:
        self.sock = _reach(self._addresses, self.port, self.timeout)


class _PinnedHttps(HTTPSConnection):
    """The same, with a certificate that has to be the name's."""

    def __init__(self, host: str, port: int | None, *, addresses: list[str]) -> None:
        self._context = ssl.create_default_context()
        super().__init__(host, port, timeout=CONNECT_TIMEOUT_S, context=self._context)
        self._addresses = addresses

    def connect(self) -> None:
        plain = _reach(self._addresses, self.port, self.timeout)
        self.sock = self._context.wrap_socket(plain, server_hostname=self.host)

"""Where a request comes from, as far as it can be believed."""

from __future__ import annotations

import ipaddress

from django.conf import settings
from django.http import HttpRequest

# One subscriber is given a whole network of this size.
_IPV6_NETWORK = 64


def client_address(request: HttpRequest) -> str:
    """Return the caller's address, to count by: of IPv6, the network.

    ``X-Forwarded-For`` is read only behind ``NUM_PROXIES`` proxies, and from its end: what stands before
    their entries, callers write themselves.
    """
    address = str(request.META.get("REMOTE_ADDR", ""))
    forwarded = [entry.strip() for entry in request.headers.get("X-Forwarded-For", "").split(",") if entry.strip()]
    if settings.NUM_PROXIES and forwarded:
        address = forwarded[-min(settings.NUM_PROXIES, len(forwarded))]
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:45]
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, _IPV6_NETWORK), strict=False))

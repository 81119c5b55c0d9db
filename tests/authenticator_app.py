"""An authenticator app."""

from __future__ import annotations

import hashlib
import hmac
import struct
import time
from base64 import b32decode


def code_of(secret: str) -> str:
    """Return the code that it shows now for a secret key (RFC 6238)."""
    digest = hmac.new(b32decode(secret), struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at : at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"

"""How well two colours can be told apart, as WCAG 2.2 counts it, and the nearest colour that can be."""

from __future__ import annotations

import re

WHITE = "#ffffff"
# WCAG 2.2, 1.4.3: texts of ordinary size.
READABLE = 4.5

_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)


def colour_clean(text: str) -> str | None:
    """Return ``text`` as ``#rrggbb`` in small letters, or None when it is not a colour in hexadecimal."""
    text = text.strip()
    if not _HEX.fullmatch(text):
        return None
    digits = text[1:].lower()
    return "#" + (digits if len(digits) == 6 else "".join(digit * 2 for digit in digits))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two ``#rrggbb`` colours, from 1 (the same) to 21 (black on white)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def readable_on_white(colour: str) -> str:
    """Return ``colour``, darkened in its own hue as little as it takes for white text on it to be readable."""
    channels = _channels(colour)
    for percent in range(100, 0, -1):
        darker = "#" + "".join(f"{round(channel * percent / 100):02x}" for channel in channels)
        if contrast(darker, WHITE) >= READABLE:
            return darker
    return "#000000"


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(channel / 255) for channel in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)

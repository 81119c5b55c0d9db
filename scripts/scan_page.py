"""Scan one page as the SDK does, and picture what was seen: `make scan URL=https://… OUT=folder`.

Prints the payload on standard output and a table on standard error, and writes `scan.png`: the page with a numbered
box over each node. Nothing is sent anywhere and nothing is changed on the page.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Error, Page, TimeoutError
from scan_sheet import Item, items_of, sheet

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.browser.chromium import chromium  # noqa: E402 - found from any folder

BUNDLE = ROOT / "static" / "circuy" / "circuy-scan.js"
IN_PAGE = Path(__file__).with_suffix(".js")
OUT = ROOT / ".circuy" / "scan"
WIDTH, HEIGHT = 1280, 900
LOAD_TIMEOUT_MS = 30_000
# For what scripts draw after the load. A page that never rests is scanned as it is.
REST_TIMEOUT_MS = 3_000
# Chromium draws no higher picture in one go.
TALLEST = 16_000
UNREACHABLE = {
    "ERR_NAME_NOT_RESOLVED": "no such host",
    "ERR_CONNECTION_REFUSED": "nothing answers there",
    "ERR_CONNECTION_TIMED_OUT": "it does not answer",
    "ERR_ADDRESS_UNREACHABLE": "its network cannot be reached",
    "ERR_INTERNET_DISCONNECTED": "this machine has no network",
    "ERR_CERT": "its certificate is not valid",
    "ERR_SSL": "it speaks no TLS that this browser accepts",
    "Download is starting": "it is a download, not a page",
}


class ScanError(Exception):
    """The page could not be scanned; the message says why to the person who asked."""


@dataclass(frozen=True)
class Seen:
    """What a scan gave, and where its picture is."""

    payload: dict[str, Any]
    note: str
    items: list[Item]
    picture: Path


def main() -> None:
    """Print what the scanner sees on the page that the arguments name."""
    parser = argparse.ArgumentParser(prog="make scan", description="Scan one page as the SDK does, and picture it.")
    parser.add_argument("page", help="an http(s) address, or the path of an HTML file")
    parser.add_argument("--out", type=Path, default=OUT, help="folder for the picture (default: .circuy/scan)")
    options = parser.parse_args()
    try:
        seen = look_at(address_of(options.page), options.out)
    except ScanError as error:
        sys.exit(f"make scan: {error}")
    _print_table(seen)
    print(json.dumps(seen.payload, ensure_ascii=False, indent=2))


def address_of(page: str) -> str:
    """The address to open for what a person gave. Raises ``ScanError`` when it is neither an address nor a file."""
    if page == "":
        raise ScanError("which page? `make scan URL=https://…`, or the path of an HTML file.")
    try:
        parts = urlsplit(page)
    except ValueError as error:
        raise ScanError(f"{page} is no address: {error}.") from error
    if parts.scheme in ("http", "https"):
        if not parts.hostname:
            raise ScanError(f"{page} names no host.")
        return page
    file = Path(parts.path if parts.scheme == "file" else page).expanduser()
    if file.is_file():
        return file.resolve().as_uri()
    if parts.scheme not in ("", "file"):
        raise ScanError(f"{page} is no file here, and only http and https addresses can be opened.")
    raise ScanError(f"{page} is no file here, and no address: those start with http:// or https://.")


def look_at(url: str, folder: Path) -> Seen:
    """Open `url`, scan it, and write its picture into `folder`. Raises ``ScanError`` when that cannot be done."""
    if not BUNDLE.is_file():
        raise ScanError(f"{BUNDLE.relative_to(ROOT)} is not there: build it with `make sdk`.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ScanError(f"{folder} cannot hold the picture: {error.strerror}.") from error
    try:
        with chromium() as browser:
            return _look(browser, url, folder / "scan.png")
    except Error as error:
        if "xecutable doesn't exist" in error.message or "Failed to launch" in error.message:
            raise ScanError("no Chromium here: install it, or set CHROMIUM to its path.") from error
        raise ScanError(f"{url} could not be scanned: {error.message.splitlines()[0]}") from error


def _look(browser: Browser, url: str, picture: Path) -> Seen:
    page = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}).new_page()
    _open(page, url)
    height = page.evaluate("Math.max(document.documentElement.scrollHeight, innerHeight)")
    shown = min(int(height), TALLEST)
    # As tall as the page from here on: what is measured is then what is drawn.
    page.set_viewport_size({"width": WIDTH, "height": shown})
    _rest(page)
    options = {"path": f"/{Path(url).name}"} if url.startswith("file:") else {}
    bundle, scan = BUNDLE.read_text(encoding="utf-8"), IN_PAGE.read_text(encoding="utf-8").strip()
    answer = _run(page, f"{bundle}\n;{scan}({json.dumps(options)})")
    payload, items = answer["payload"], items_of(answer["payload"], answer["places"])
    note = _note(answer["stats"], cut=int(height) > TALLEST)
    image = "data:image/png;base64," + base64.b64encode(page.screenshot(animations="disabled")).decode()
    page.context.close()
    words = {"title": payload["pageTitle"], "address": payload["urlPattern"], "note": note}
    html = sheet(items, image, width=WIDTH, height=shown, **words)
    drawing = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    drawing.set_content(html)
    drawing.set_viewport_size({"width": drawing.evaluate("document.documentElement.scrollWidth"), "height": HEIGHT})
    drawing.screenshot(path=picture, full_page=True)
    return Seen(payload, note, items, picture)


def _open(page: Page, url: str) -> None:
    try:
        answer = page.goto(url, wait_until="load", timeout=LOAD_TIMEOUT_MS)
    except TimeoutError as error:
        raise ScanError(f"{url} was not there after {LOAD_TIMEOUT_MS // 1000} s.") from error
    except Error as error:
        known = [why for sign, why in UNREACHABLE.items() if sign in error.message]
        raise ScanError(f"{url} cannot be opened: {(known or [error.message.splitlines()[0]])[0]}.") from error
    if answer is not None and answer.status >= 400:
        raise ScanError(f"{url} answered {answer.status} {answer.status_text}".rstrip() + ".")
    _rest(page)


def _rest(page: Page) -> None:
    try:
        page.wait_for_load_state("networkidle", timeout=REST_TIMEOUT_MS)
    except TimeoutError:
        return


def _run(page: Page, expression: str) -> Any:
    """The value of `expression` in the page, whose policy may forbid scripts that are put in any other way."""
    session = page.context.new_cdp_session(page)
    answer = session.send("Runtime.evaluate", {"expression": expression, "awaitPromise": True, "returnByValue": True})
    details = answer.get("exceptionDetails")
    if details is not None:
        said = details.get("exception", {}).get("description") or details.get("text", "")
        raise ScanError(f"the scan failed: {said.splitlines()[0]}")
    return answer["result"]["value"]


def _note(stats: dict[str, Any], *, cut: bool) -> str:
    """What a person should know beside the nodes."""
    said = [f"{stats['nodes']:,} nodes", f"{stats['masked']:,} masked"]
    if stats["truncated"]:
        said.append("truncated: the page holds more than may be sent")
    if stats.get("failed"):
        said.append(f"{stats['failed']:,} could not be read")
    if cut:
        said.append(f"pictured down to {TALLEST:,} px")
    return " · ".join(said)


def _print_table(seen: Seen) -> None:
    rows = [
        (node["id"], item.kind, item.name, item.state, node["selector"])
        for node, item in zip(seen.payload["nodes"], seen.items, strict=True)
    ]
    header = ("id", "kind", "name", "state", "selector")
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(4)]
    for row in [header, *rows]:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        print("  ".join([*cells, row[4]]), file=sys.stderr)
    print(f"\n{seen.payload['urlPattern']}: {seen.note}\nPicture: {seen.picture}", file=sys.stderr)


if __name__ == "__main__":
    main()

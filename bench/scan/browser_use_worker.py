"""
browser-use's page extraction (its DOM service and serializer), in a Python that has it: `browser_use_worker.py CDP`.
Reads a page's URL a line and answers each with a line of JSON. It works in a tab of its own, of the same browser.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import time

os.environ.setdefault("ANONYMIZED_TELEMETRY", "false")
os.environ.setdefault("BROWSER_USE_LOGGING_LEVEL", "result")

from browser_use.browser import BrowserSession  # type: ignore[import-not-found]
from browser_use.dom.service import DomService  # type: ignore[import-not-found]

_SLOW_S = 1.0


async def main(cdp_url: str) -> None:
    logging.disable(logging.CRITICAL)
    session = BrowserSession(cdp_url=cdp_url)
    await session.start()
    _answer({"ready": True})
    while line := await asyncio.to_thread(sys.stdin.readline):
        try:
            _answer(await _measure(session, line.strip()))
        except Exception as error:  # what fails on one page must not lose the next ones
            _answer({"error": f"{type(error).__name__}: {error}"[:300]})
    await session.stop()


async def _measure(session: BrowserSession, url: str) -> dict[str, object]:
    await session._cdp_navigate(url)
    await asyncio.sleep(0.3)
    service = DomService(session)
    seconds, text, elements = await _extract(service)
    if seconds < _SLOW_S:
        seconds, text, elements = await _extract(service)
    return {"ms": seconds * 1000, "text": text, "elements": elements}


async def _extract(service: DomService) -> tuple[float, str, int]:
    started = time.perf_counter()
    state, _, _ = await service.get_serialized_dom_tree()
    text = state.llm_representation()
    return time.perf_counter() - started, text, len(state.selector_map)


def _answer(values: dict[str, object]) -> None:
    # Its libraries may write on standard output too: the mark tells our lines from theirs.
    sys.stdout.write("=> " + json.dumps(values) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))

"""A small large-language-model server for tests: the chat-completions protocol with Structured Outputs, over real HTTP.

It answers from the prompt alone: it picks the listed ids that share words with the question, as a model would, and it
misbehaves on demand. `python -m tests.fakes.llm_server --port 8099` runs it by hand.
"""

from __future__ import annotations

import argparse
import json
import re
import threading
import time
import unicodedata
from collections import deque
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, get_args

Behaviour = Literal[
    "ok", "rate_limited", "server_error", "slow", "truncated", "refusal", "invented_ids", "empty", "markup"
]

MODEL = "fake-model-1"
_LINE = re.compile(r"^([in]\d+) (\w+): (.+)$", re.MULTILINE)
_QUESTION = re.compile(r"<question>(.*?)</question>", re.DOTALL)
_REJECTED = re.compile(r"(\[\[.*\]\])")
_QUOTABLE = re.compile(r"\[([^\]]+)\]")
_SMALL = frozenset(
    re.findall(
        r"\w+",
        "comment ajouter appliquer changer modifier choisir saisir mettre faire pour avec dans une des les aux sur est "
        "puis peut veux voudrais dois trouve quelle quel cette mon mes votre how what where which the and for with add "
        "apply change set choose enter can does this that from want need page aller",
    )
)
_ENGLISH = {
    "discount": "remise", "invoice": "facture", "customer": "client", "order": "commande", "orders": "commandes",
    "create": "creer", "due": "echeance", "status": "statut", "quantity": "quantite", "refund": "rembourser",
    "search": "rechercher", "filter": "filtrer", "vat": "tva", "save": "enregistrer", "draft": "brouillon",
}  # fmt: skip


class FakeLlmServer:
    """Serves on 127.0.0.1 until closed. `requests` holds the JSON bodies received, oldest first."""

    def __init__(self, port: int = 0, *, slow_s: float = 30.0, retry_after_s: float = 1.0) -> None:
        self.requests: list[dict[str, Any]] = []
        self.slow_s = slow_s
        self.retry_after_s = retry_after_s
        self._behaviours: deque[Behaviour] = deque()
        self._standing: Behaviour = "ok"
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler_for(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @property
    def base_url(self) -> str:
        """What to give a client as `base_url`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def behave(self, behaviour: Behaviour, times: int | None = None) -> None:
        """Answer so the next `times` requests, or from now on. A new call replaces what was asked before."""
        if behaviour not in get_args(Behaviour):
            raise ValueError(f"unknown behaviour: {behaviour}")
        with self._lock:
            self._behaviours.clear()
            self._standing = "ok"
            if times is None:
                self._standing = behaviour
            else:
                self._behaviours.extend([behaviour] * times)

    def close(self) -> None:
        """Stop serving; requests that wait are let go."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    def __enter__(self) -> FakeLlmServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def received(self, request: dict[str, Any]) -> Behaviour:
        """Record a request and tell how to answer it."""
        with self._lock:
            self.requests.append(request)
            return self._behaviours.popleft() if self._behaviours else self._standing

    def dawdle(self) -> None:
        """Wait as long as a slow model would, unless the server closes."""
        self._closing.wait(self.slow_s)


def _handler_for(server: FakeLlmServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if self.path.rstrip("/") != "/v1/chat/completions":
                self._error(404, "unknown path")
                return
            if not self.headers.get("Authorization", "").startswith("Bearer "):
                self._error(401, "missing key")
                return
            request = json.loads(body)
            problem = _problem_with(request)
            if problem:
                self._error(400, problem)
                return
            self._answer(request, server.received(request))

        def log_message(self, *_: object) -> None:
            """Stay silent: tests read `requests` instead."""

        def _answer(self, request: dict[str, Any], behaviour: Behaviour) -> None:
            if behaviour == "rate_limited":
                self._error(429, "slow down", {"Retry-After": f"{server.retry_after_s:g}"})
            elif behaviour == "server_error":
                self._error(500, "out of order")
            else:
                if behaviour == "slow":
                    server.dawdle()
                self._json(200, _completion(request, behaviour))

        def _error(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
            self._json(status, {"error": {"message": message, "type": "fake", "code": None}}, headers)

        def _json(self, status: int, data: object, headers: Mapping[str, str] | None = None) -> None:
            payload = json.dumps(data).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(payload)))
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(payload)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

    return Handler


def _problem_with(request: dict[str, Any]) -> str:
    """What a real server would refuse about the request, or an empty string."""
    if not request.get("model") or not request.get("messages"):
        return "model and messages are required"
    wanted = request.get("response_format", {})
    schema = wanted.get("json_schema", {})
    if wanted.get("type") != "json_schema" or schema.get("strict") is not True:
        return "response_format must be a strict json_schema"
    return _loose_object(schema.get("schema", {}))


def _loose_object(schema: Any) -> str:
    """Structured Outputs want every object closed and all its properties required."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            properties = schema.get("properties", {})
            if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(properties):
                return "strict schemas need additionalProperties: false and every property required"
        return next(filter(None, map(_loose_object, schema.values())), "")
    return ""


def _completion(request: dict[str, Any], behaviour: Behaviour) -> dict[str, Any]:
    content: str | None = json.dumps(_reply(request, behaviour), ensure_ascii=False)
    finish, refusal = "stop", None
    if behaviour == "truncated":
        content, finish = content[: len(content) // 2] if content else "", "length"
    elif behaviour == "refusal":
        content, refusal = None, "I can't help with that."
    elif behaviour == "empty":
        content = ""
    prompt = sum(len(message["content"]) for message in request["messages"]) // 4
    return {
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": MODEL,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content, "refusal": refusal},
                "finish_reason": finish,
            }
        ],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": len(content or "") // 4,
            "total_tokens": prompt + len(content or "") // 4,
        },
    }


def _reply(request: dict[str, Any], behaviour: Behaviour) -> dict[str, Any]:
    prompt = "\n".join(message["content"] for message in request["messages"] if message["role"] == "user")
    french = "vouvoiement" in request["messages"][0]["content"] or "infinitif" in request["messages"][0]["content"]
    lines = {short: (kind, goal) for short, kind, goal in _LINE.findall(prompt)}
    properties = request["response_format"]["json_schema"]["schema"]["properties"]
    if "goals" in properties:
        return _goals(lines, properties["goals"]["items"]["properties"]["i"]["enum"], behaviour, french=french)
    allowed = properties["steps"]["items"]["properties"]["i"]["enum"]
    question = _QUESTION.search(prompt)
    rejected = _REJECTED.search(prompt)
    plans = json.loads(rejected[1]) if rejected else []
    picked = _picked(
        question[1] if question else "", {short: lines[short] for short in allowed if short in lines}, plans
    )
    steps = [_step(short, *lines[short], french=french) for short in picked]
    if behaviour == "invented_ids":
        steps = [
            {**step, "i": f"i{90 + index}"}
            for index, step in enumerate(steps or [_step("i1", "click", "?", french=french)])
        ]
    if behaviour == "markup":
        for step in steps:
            step["title"] = f"<b onclick=alert(1)>{step['title']}</b>"
            step["text"] = (
                f"<script>alert(1)</script>{step['text']} [plus](https://evil.example/x) \u202ehttps://evil.example"
            )
    return {"title": steps[0]["title"] if steps else "", "steps": steps}


def _picked(question: str, lines: Mapping[str, tuple[str, str]], rejected: list[list[str]]) -> list[str]:
    """Cover the question's words with as few goals as possible; buttons come last."""
    wanted = _keywords(question)
    picked: list[str] = []
    while wanted:
        scores = {short: len(wanted & _keywords(goal)) for short, (_, goal) in lines.items() if short not in picked}
        best = max(
            scores, key=lambda short: (scores[short], lines[short][0] != "navigate", -int(short[1:])), default=""
        )
        if not best or not scores[best]:
            break
        picked.append(best)
        wanted -= _keywords(lines[best][1])
    picked.sort(key=lambda short: (lines[short][0] in ("submit", "click"), int(short[1:])))
    if picked in rejected:
        return picked[1:]
    return picked


def _keywords(text: str) -> set[str]:
    folded = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    words = (_ENGLISH.get(word, word) for word in re.findall(r"[a-z]{3,}", folded))
    return {word[:6].rstrip("s") for word in words if word not in _SMALL}


def _step(short: str, kind: str, goal: str, *, french: bool) -> dict[str, str]:
    label = _QUOTABLE.search(goal)
    title = re.split(r" [\[(]", goal)[0][:40]
    name = label[1] if label else title
    if french:
        text = (
            f"Cliquez sur «\u00a0{name}\u00a0»."
            if kind in ("click", "submit", "navigate")
            else f"Remplissez «\u00a0{name}\u00a0»."
        )
    else:
        text = f"Click “{name}”." if kind in ("click", "submit", "navigate") else f"Fill in “{name}”."
    return {"i": short, "title": title, "text": text}


def _goals(
    lines: Mapping[str, tuple[str, str]], allowed: list[str], behaviour: Behaviour, *, french: bool
) -> dict[str, Any]:
    goals = [
        {
            "i": short,
            "goal": re.split(r" [\[(@]", lines[short][1])[0],
            "synonyms": [re.split(r" [\[(@]", lines[short][1])[0].lower()],
        }
        for short in allowed
        if short in lines
    ]
    if behaviour == "invented_ids":
        goals = [{**goal, "i": f"n{9000 + index}"} for index, goal in enumerate(goals)]
    if behaviour == "markup":
        goals = [{**goal, "goal": f"<img src=x onerror=alert(1)>{goal['goal']}"} for goal in goals]
    return {"summary": "Une page de gestion." if french else "A business page.", "goals": goals}


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="A fake chat-completions server with Structured Outputs.")
    parser.add_argument("--port", type=int, default=8099)
    parser.add_argument("--behave", choices=get_args(Behaviour), default="ok")
    options = parser.parse_args()
    with FakeLlmServer(options.port) as server:
        server.behave(options.behave)
        print(f"listening on {server.base_url}", flush=True)  # noqa: T201 - the address is this command's output
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()

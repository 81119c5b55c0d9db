"""A web site of a few answers, served over HTTP on this machine."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import unquote, urlsplit

HTML = "text/html; charset=utf-8"
SCRIPT = "text/javascript; charset=utf-8"


@dataclass(frozen=True)
class Answer:
    """What the site gives at one path."""

    body: bytes
    kind: str = HTML
    headers: dict[str, str] = field(default_factory=dict)


class Site:
    """Serves `answers` by path until it is closed; 404 for all others, and nothing for the tab's icon."""

    def __init__(self) -> None:
        answers: dict[str, Answer] = {"/favicon.ico": Answer(b"", "image/x-icon")}

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                answer = answers.get(unquote(urlsplit(self.path).path))
                self.send_response(HTTPStatus.NOT_FOUND if answer is None else HTTPStatus.OK)
                answer = answer or Answer(b"not here")
                for name, value in {"Content-Type": answer.kind, **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.body)))
                self.end_headers()
                self.wfile.write(answer.body)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing: tests read the browser's console."""

        self.answers = answers
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def put_folder(self, path: str, folder: Path) -> None:
        """Give each file in `folder`, and in the folders in it, under `path` from now on."""
        for file in folder.rglob("*"):
            if file.is_file():
                kind = guess_type(file.name)[0] or "application/octet-stream"
                self.answers[f"{path}/{file.relative_to(folder).as_posix()}"] = Answer(file.read_bytes(), kind)

    def put(self, path: str, body: str, kind: str = HTML, **headers: str) -> None:
        """Give `body` at `path` from now on."""
        self.answers[path] = Answer(body.encode("utf-8", "surrogatepass"), kind, headers)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

"""A mail server over real SMTP: keeps what it is given, and refuses on demand."""

from __future__ import annotations

import socketserver
import threading
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import cast


@dataclass
class Mail:
    """A message as it arrived, with its envelope."""

    sender: str
    recipients: list[str]
    message: EmailMessage

    def part(self, kind: str) -> str:
        """Return the text of the part of this type, such as ``text/plain``."""
        found = next(part for part in self.message.walk() if part.get_content_type() == kind)
        return cast(str, found.get_content())


class FakeSmtp:
    """EHLO, MAIL, RCPT, DATA and QUIT. ``refuse`` answers the next command of that name with something else."""

    def __init__(self) -> None:
        self.mails: list[Mail] = []
        self._refusals: list[tuple[str, str]] = []
        fake = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                fake._talk(self)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def refuse(self, command: str, answer: str) -> None:
        """Answer the next ``command`` with this; an empty answer closes the connection."""
        self._refusals.append((command, answer))

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _talk(self, handler: socketserver.StreamRequestHandler) -> None:
        def say(line: str) -> None:
            handler.wfile.write(f"{line}\r\n".encode())

        say("220 fake")
        sender = ""
        recipients: list[str] = []
        while line := handler.rfile.readline():
            words = line.decode().strip()
            command = words.split(" ")[0].split(":")[0].upper()
            refusal = next((refusal for refusal in self._refusals if refusal[0] == command), None)
            if refusal is not None:
                self._refusals.remove(refusal)
                if not refusal[1]:
                    return
                say(refusal[1])
                continue
            if command == "MAIL":
                sender, recipients = _address(words), []
            elif command == "RCPT":
                recipients.append(_address(words))
            elif command == "DATA":
                say("354 go on")
                message = message_from_bytes(_data(handler), policy=policy.default)
                self.mails.append(Mail(sender, recipients, message))
            elif command == "QUIT":
                say("221 bye")
                return
            say("250 ok")


def _address(words: str) -> str:
    return words.partition("<")[2].partition(">")[0]


def _data(handler: socketserver.StreamRequestHandler) -> bytes:
    lines = []
    while (line := handler.rfile.readline()) not in (b".\r\n", b""):
        lines.append(line[1:] if line.startswith(b"..") else line)
    return b"".join(lines)

"""A server that answers as it is told."""

import http.server
import json
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

CUT = object()
"""An answer that hangs up."""


class Heard(NamedTuple):
    method: str
    path: str
    headers: Any
    body: Any


class Answer(NamedTuple):
    status: int = 200
    body: Any = {}
    headers: dict[str, str] = {}


class FakeServer:
    """Listens from now on. The script answers each request."""

    def __init__(self, script: Callable[[Heard], Any]) -> None:
        self.heard: list[Heard] = []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                text = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                heard = Heard(self.command, self.path, self.headers, json.loads(text) if text else None)
                server.heard.append(heard)
                answer = script(heard)
                if answer is CUT:
                    self.close_connection = True
                    return
                body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_DELETE = answer

            def log_message(self, *arguments: Any) -> None:
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *arguments: Any) -> None:
                pass  # The client hung up.

        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def problem(status: int, kind: str, headers: dict[str, str] = {}, **more: Any) -> Answer:
    """The answer of a server to a request that it refuses."""
    body = {"type": f"urn:delayjob:problem:{kind}", "title": kind, "status": status, "detail": f"it is {kind}"}
    return Answer(status, body | more, headers)


def in_turn(*answers: Any) -> Callable[[Heard], Any]:
    """Answers the first requests one by one, and all later ones like the last."""
    left = list(answers)
    return lambda heard: left.pop(0) if len(left) > 1 else left[0]

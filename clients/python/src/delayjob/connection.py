"""Requests to a server, and their repeats."""

import email.utils
import http.client
import json
import random
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import SplitResult, urlsplit

from .errors import DelayJobError

TYPES = "urn:delayjob:problem:"
ELSEWHERE = (301, 302, 303, 307, 308, 404, 405)
FIRST_WAIT = 0.1
LONGEST_WAIT = 2.0
LONGEST_CONNECT = 5.0


class HungUp(Exception):
    """The connection was hung up by another thread."""


class Failure(Exception):
    """A failed try. retry_after is what the server asks for, None if the same request cannot succeed later."""

    def __init__(self, error: DelayJobError, retry_after: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.retry_after = retry_after


class Address:
    """Where the server is, and the token."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url.rstrip("/")
        self.parts = _checked_url(self.url)
        if not re.fullmatch(r"[\x21-\x7e]{1,500}", token):
            raise ValueError("token must be 1 to 500 visible ASCII characters without spaces")
        self.token = token


class Connection:
    """A connection for one thread. Repeats requests whose failure may pass, not before Retry-After."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._http: http.client.HTTPConnection | None = None
        self._hung_up = threading.Event()

    def call(
        self,
        method: str,
        path: str,
        field: str,
        body: str | None = None,
        *,
        try_time: float | Callable[[int], float],
        deadline: float,
        headers: dict[str, str] | None = None,
        patience: Callable[[DelayJobError], bool] = lambda failure: True,
    ) -> tuple[Any, int]:
        """The answer, and how many tries it took: after more than one, an earlier one may have taken effect.

        field is one that each answer of a delayjob server has; body is JSON, see written; try_time is how long one try may take, a function
        is told its number, from 1; deadline is a time of time.monotonic(); patience is told each failure that may pass, and says whether
        another try follows.
        """
        data = None if body is None else body.encode()
        reached = unsure = False
        tries = 1
        while True:
            longest = try_time(tries) if callable(try_time) else try_time
            try:
                return self._attempt(method, path, field, data, headers or {}, min(longest, deadline - time.monotonic())), tries
            except Failure as failure:
                error = failure.error
                error.reached = reached = error.reached or reached
                error.unsure = unsure = error.unsure or unsure
                wait = max(_backoff(tries), failure.retry_after or 0)
                passes = failure.retry_after is not None and time.monotonic() + wait < deadline
                if not passes or not patience(error):
                    raise error from failure.__cause__
            if self._hung_up.wait(wait):
                raise HungUp
            tries += 1

    def hang_up(self) -> None:
        """Ends the call under way with HungUp, and all later ones. For other threads, until the call has ended."""
        self._hung_up.set()
        sock = self._http.sock if self._http else None
        if sock:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # It has ended by itself.

    def _attempt(
        self, method: str, path: str, field: str, data: bytes | None, headers: dict[str, str], seconds: float
    ) -> Any:
        uri = f"{self._address.url}/api/v1{path}"
        try:
            connected = self._connect(uri, seconds)
            connected.request(method, f"{self._address.parts.path}/api/v1{path}", data, headers | {
                "Authorization": f"Bearer {self._address.token}", "Content-Type": "application/json"})
            answer = connected.getresponse()
            text = answer.read().decode(errors="replace")
        except (OSError, http.client.HTTPException) as cause:
            self._close()
            if self._hung_up.is_set():
                raise HungUp from None
            why = f"within {seconds:.1f} s" if isinstance(cause, TimeoutError) else _shown(cause)
            raise Failure(DelayJobError(f"{uri} gave no answer ({why})", reached=True, unsure=True), 0) from cause
        if answer.status // 100 != 2:
            raise _refused(uri, answer, text)
        body = _parsed(text)
        if field not in body:
            message = f"{uri} answered {answer.status}, but not as a delayjob server does; is the url the address of one?"
            raise Failure(DelayJobError(message, status=answer.status, reached=True, unsure=True))
        return body

    def _connect(self, uri: str, seconds: float) -> http.client.HTTPConnection:
        if self._hung_up.is_set():
            raise HungUp
        # An answer may have closed the connection.
        if self._http is None or self._http.sock is None:
            parts = self._address.parts
            kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
            self._http = kind(parts.hostname or "", parts.port, timeout=max(min(seconds, LONGEST_CONNECT), 0.001))
            try:
                self._http.connect()
                self._http.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except OSError as cause:
                self._close()
                message = f"{uri} cannot be reached ({_shown(cause)}); check the url, and that the server runs"
                # A certificate that is refused now is refused again. Other failures of a handshake may pass.
                retry_after = None if isinstance(cause, ssl.SSLCertVerificationError) else 0
                raise Failure(DelayJobError(message, reached=False, unsure=False), retry_after) from cause
        self._http.sock.settimeout(max(seconds, 0.001))
        return self._http

    def __del__(self) -> None:
        self._close()

    def _close(self) -> None:
        if self._http is not None:
            self._http.close()
            self._http = None


def written(body: Any) -> str:
    """The JSON of a body. Raises TypeError that names the value if one cannot be written, such as a timedelta."""
    try:
        return json.dumps(body, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as cause:
        raise TypeError(f"{'.'.join(_place(body)) or 'the request'} cannot be written as JSON ({_shown(cause)})") from cause


def _place(value: Any, most: int = 5) -> list[str]:
    """The names that lead to a value that cannot be written, five at most: it may contain itself."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, (list, tuple)) else ()
    for name, part in parts if most > 0 else ():
        if not _is_writable(part):
            return [str(name), *_place(part, most - 1)]
    return []


def _is_writable(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _checked_url(url: str) -> SplitResult:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise ValueError(
            "url must be the address of a delayjob server, such as https://jobs.example.com:"
            " http or https, a host, and no user, query or fragment")
    return parts


def _shown(failure: BaseException) -> str:
    return str(failure) or type(failure).__name__


def _refused(uri: str, answer: http.client.HTTPResponse, text: str) -> Failure:
    status = answer.status
    problem = _problem(text)
    kind = f" ({problem['type'].removeprefix(TYPES)})" if problem else ""
    detail = problem["detail"] if problem else "" if status in ELSEWHERE else " ".join(text.split())[:200]
    outcome = problem.get("outcome") if problem else None
    error = DelayJobError(
        f"{uri} answered {status}{kind}{detail and ': ' + detail}{_remedy(status, problem)}",
        status=status, problem=problem, reached=True, unsure=status >= 500 and outcome != "NOT_STORED")
    # Jobs that replicas did not acknowledge are stored: the caller decides what follows.
    passes = (status in (408, 429) or status >= 500 or kind == " (key-in-use)") and outcome != "NOT_REPLICATED"
    return Failure(error, _retry_after(answer.headers.get("Retry-After", "")) if passes else None)


def _parsed(text: str) -> dict[str, Any]:
    """The fields of a JSON object; none if it is not one."""
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _problem(text: str) -> Any:
    body = _parsed(text)
    return body if str(body.get("type", "")).startswith(TYPES) else None


def _remedy(status: int, problem: Any) -> str:
    if status == 401:
        return "; use a valid token of this server"
    if status == 403:
        return "; use a token with this role"
    if problem is None and status in ELSEWHERE:
        return "; the url is not the address of a delayjob server (without /api/v1), or the server is older than this client"
    if problem is not None and problem["detail"].startswith("unknown field"):
        return "; the field is misspelled, or the server is older than this client"
    return ""


def _retry_after(value: str) -> float:
    """The seconds of a number or an HTTP date; 0 if it is neither."""
    if re.fullmatch(r"\d{1,9}", value):
        return float(value)
    try:
        return max(email.utils.parsedate_to_datetime(value).timestamp() - time.time(), 0)
    except ValueError:
        return 0


def _backoff(tries: int) -> float:
    """Doubles from 100 ms to 2 s, less up to a fifth at random."""
    return min(FIRST_WAIT * 2 ** min(tries - 1, 10), LONGEST_WAIT) * (1 - random.random() / 5)

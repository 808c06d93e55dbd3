"""One attempt of a claimed job."""

import json
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol

from .api import ClaimedJobView, Settlement
from .client import duration
from .connection import written
from .errors import DelayJobError, NonRetryableError, RateLimitedError, RetryLaterError
from .settler import Settled, Settler

DEFAULT_LEASE = 9.0
MOST_RESULT_BYTES = 8_192
LONGEST_ERROR = 8_192
"""The server keeps no more."""


class Attempt(Protocol):
    """A handler's side of the attempt that it runs."""

    ended: threading.Event
    """Set when the attempt no longer holds its job, has used up the job's timeout, or is to end because the worker stops."""

    def progress(self, percent: int, text: str | None = None) -> None:
        """Shows how far the job is."""


Handler = Callable[[ClaimedJobView, Attempt], Any]
"""Runs a job. Its result, any JSON of up to 8,192 bytes or None, is stored with the job if its queue keeps finished jobs; raising fails the attempt."""


class Run:
    """Runs the handler, extends the lease meanwhile, and settles the job."""

    def __init__(self, job: ClaimedJobView, settler: Settler, report: Callable[[Exception], None]) -> None:
        """report is told what went wrong besides the handler's own error."""
        self.job = job
        self.ended = threading.Event()
        self._settler = settler
        self._report = report
        self.lease = seconds(job.get("lease", "")) or DEFAULT_LEASE
        self._timeout = seconds(job.get("timeout", ""))
        self._begun = time.monotonic()
        self._next_extension = self._begun + self.lease / 3
        self._extension: Future[Settled] | None = None
        self._over = False
        self._stopped = False
        self._timed_out = False
        self._lock = threading.Lock()

    def progress(self, percent: int, text: str | None = None) -> None:
        shown: Any = {"percent": percent} if text is None else {"percent": percent, "text": text}
        self._settler.settle({"handle": self.job["handle"], "action": "progress", "progress": shown}).result()

    def run(self, handler: Handler, late: bool) -> None:
        """late says whether a part of the lease may have passed already: then it is extended first, and a lost job is left alone."""
        if late:
            self._extend().exception()
        if not self._over:
            self._settle(self._outcome(handler))

    def tick(self, now: float) -> None:
        """Extends the lease and ends the attempt in time. To be called several times a second."""
        if now >= self._next_extension and not self._over:
            self._next_extension = now + self.lease / 3
            # One at a time: more would only wait behind it.
            if self._extension is None or self._extension.done():
                self._extend()
        if self._timeout and now >= self._begun + self._timeout and not self._timed_out:
            self._timed_out = True
            self.ended.set()

    def stop(self) -> None:
        """Asks the handler to end. If it fails after that, its job is given back."""
        self._stopped = True
        self.ended.set()

    def give_back(self) -> None:
        """Gives the job back, although its handler has not ended."""
        self._settle({"handle": self.job["handle"], "action": "release"})

    def _extend(self) -> "Future[Settled]":
        answer = self._settler.settle({"handle": self.job["handle"], "action": "extend", "lease": duration(self.lease)})
        self._extension = answer
        answer.add_done_callback(self._extended)
        return answer

    def _extended(self, answer: "Future[Settled]") -> None:
        if (failure := answer.exception()) is not None:
            # The next extension may succeed.
            self._report(failure)  # type: ignore[arg-type]
        elif not answer.result().applied:
            self._end()

    def _end(self) -> bool:
        """False if it was over already."""
        with self._lock:
            first = not self._over
            self._over = True
        self.ended.set()
        return first

    def _outcome(self, handler: Handler) -> Settlement:
        handle = self.job["handle"]
        try:
            result = handler(self.job, self)
            if self._timed_out:
                raise TimeoutError(f"the attempt took longer than {self.job['timeout']}")
            if result is None:
                return {"handle": handle, "action": "complete"}
            _check_result(result)
            return {"handle": handle, "action": "complete", "result": result}
        except BaseException as error:  # sys.exit() ends the attempt, not the worker.
            if self._stopped:
                return {"handle": handle, "action": "release"}
            return self._failed(handle, error)

    @staticmethod
    def _failed(handle: str, error: BaseException) -> Settlement:
        if isinstance(error, NonRetryableError):
            return {"handle": handle, "action": "bury", "error": _described(error)}
        if isinstance(error, RateLimitedError):
            return {"handle": handle, "action": "release", "delay": error.delay, "slowKey": True}
        if isinstance(error, RetryLaterError):
            return {"handle": handle, "action": "retry", "error": _described(error), "delay": error.delay}
        return {"handle": handle, "action": "retry", "error": _described(error)}

    def _settle(self, settlement: Settlement) -> None:
        if not self._end():
            return
        try:
            settled = self._settled(settlement)
            if not settled.applied and not settled.repeated:
                lost = f"job {self.job['id']} of queue {self.job['queue']} was lost before it could {settlement['action']}"
                self._report(RuntimeError(lost))
        except Exception as error:
            self._report(error)

    def _settled(self, settlement: Settlement) -> Settled:
        """If it is refused for what it says, the attempt fails with the reason, else the job would run again, and nobody would learn why."""
        try:
            return self._settler.settle(settlement).result()
        except (TypeError, DelayJobError) as refusal:
            if isinstance(refusal, DelayJobError) and refusal.status not in (400, 413):
                raise
            self._report(refusal)
            cause = f"; the error of the handler: {settlement['error'][:LONGEST_ERROR]}" if "error" in settlement else ""
            return self._settler.settle({
                "handle": self.job["handle"],
                "action": "bury" if settlement["action"] == "bury" else "retry",
                "error": _described(refusal) + cause,
            }).result()


def _check_result(result: Any) -> None:
    """Raises an exception if the server would refuse it."""
    written({"result": result})
    size = len(json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass"))
    if size > MOST_RESULT_BYTES:
        raise ValueError(f"the result takes {size} bytes as JSON, more than {MOST_RESULT_BYTES}; store it elsewhere")


def _described(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def seconds(iso: str) -> float | None:
    """The seconds of an ISO-8601 duration as the server writes them, such as "PT1H30M9.5S"; None if it is written otherwise."""
    parts = re.fullmatch(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?", iso)
    if parts is None:
        return None
    hours, minutes, rest = (float(part or 0) for part in parts.groups())
    return (hours * 60 + minutes) * 60 + rest

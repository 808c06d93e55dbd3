"""Calls of the API."""

import datetime
import threading
import time
import uuid
from typing import Any
from urllib.parse import quote

from .api import ActionView, ClaimBody, ClaimedJobView, JobBody, JobView, ResultView, Settlement, SubmittedView
from .connection import Address, Connection, written
from .errors import DelayJobError


class DelayJobClient:
    """Asks a delayjob server. Thread-safe.

    Requests that fail for a while are repeated until the timeout, not before the Retry-After of an answer; so are those whose answer was
    lost. All calls fail with a DelayJobError, or with a TypeError if a value cannot be written as JSON.
    """

    def __init__(self, url: str, token: str, *, timeout: float = 10) -> None:
        """url is the address without /api/v1; timeout says how many seconds a call may take, its repeats included."""
        self.address = Address(url, token)
        self.timeout = timeout
        self._of_thread = threading.local()

    def submit(self, queue: str, job: JobBody, *, idempotency_key: str | None = None) -> SubmittedView:
        """Stores a job.

        A job without an id gets a random one here, so that a repeat stores nothing twice; if it has a dedupe key, the submit gets an
        idempotency key instead. With an id of your own, a repeat after a lost answer says EXISTS. For a day, submits of the same job with
        the same idempotency_key are one submit, whichever process makes them.
        """
        body, headers, named = _repeatable(job, idempotency_key)
        answer, tries = self._call("POST", _jobs(queue), "outcome", body, headers)
        return _as_first(answer, named, tries)

    def submit_all(self, queue: str, jobs: list[JobBody], *, idempotency_key: str | None = None) -> list[ResultView]:
        """Stores up to 1,000 jobs; the results are in the same order. If one is not valid, none is stored."""
        parts = [_repeatable(job, idempotency_key) for job in jobs]
        headers = {name: value for _, of_job, _ in parts for name, value in of_job.items()}
        answer, tries = self._call("POST", _jobs(queue) + "/batch", "jobs", {"jobs": [body for body, _, _ in parts]}, headers)
        return [_as_first(result, named, tries) for result, (_, _, named) in zip(answer["jobs"], parts)]

    def find(self, queue: str, id: str) -> JobView | None:
        """A job; None if there is none with this id."""
        try:
            return self._call("GET", _job(queue, id), "state")[0]
        except DelayJobError as error:
            if error.type == "no-such-job":
                return None
            raise

    def cancel(self, queue: str, id: str) -> ActionView:
        """Cancels a job, also while it runs.

        done is false if there is none; after a lost answer, also if an earlier try has cancelled it.
        """
        try:
            return self._call("DELETE", _job(queue, id), "done")[0]
        except DelayJobError as error:
            if error.type == "no-such-job":
                return {"id": id, "done": False}
            raise

    def claim(self, claim: ClaimBody, *, wait: float = 0) -> list[ClaimedJobView]:
        """Claims due jobs, waiting for the first one up to 60 seconds.

        Without a claimId, the jobs of a lost answer wait until their leases end. Worker does all that goes with a claim.
        """
        return self._call("POST", "/claims", "jobs", claim | {"wait": duration(wait)}, extra=wait)[0]["jobs"]

    def settle(self, settlements: list[Settlement]) -> list[bool]:
        """Settles up to 1,000 jobs; says of each whether it was applied.

        After a lost answer, false may mean that an earlier try was.
        """
        answer, _ = self._call("POST", "/settlements", "results", {"settlements": settlements})
        return [result["applied"] for result in answer["results"]]

    def _call(
        self, method: str, path: str, field: str, body: Any = None, headers: dict[str, str] | None = None, extra: float = 0
    ) -> tuple[Any, int]:
        if not hasattr(self._of_thread, "connection"):
            self._of_thread.connection = Connection(self.address)
        seconds = self.timeout + extra
        data = None if body is None else written(body)
        return self._of_thread.connection.call(
            method, path, field, data, try_time=seconds, deadline=time.monotonic() + seconds, headers=headers)


def _jobs(queue: str) -> str:
    return f"/queues/{quote(queue, safe='')}/jobs"


def _job(queue: str, id: str) -> str:
    return f"{_jobs(queue)}/{quote(id, safe='')}"


def _repeatable(job: JobBody, idempotency_key: str | None) -> tuple[JobBody, dict[str, str], bool]:
    """A job that can be sent twice, the headers for that, and whether it got its id here."""
    if idempotency_key is not None:
        return job, {"Idempotency-Key": idempotency_key}, False
    if job.get("id") is not None:
        return job, {}, False
    if job.get("dedupe") is not None:
        return job, {"Idempotency-Key": str(uuid.uuid4())}, False
    return job | {"id": str(uuid.uuid4())}, {}, True


def _as_first(result: Any, named: bool, tries: int) -> Any:
    """The result of a repeat as that of the first try: nobody else knows an id that was made here."""
    return result | {"outcome": "STORED"} if named and tries > 1 and result["outcome"] == "EXISTS" else result


def duration(time: float | datetime.timedelta) -> str:
    """An ISO-8601 duration, such as "PT1.5S", of seconds or a timedelta."""
    seconds = time.total_seconds() if isinstance(time, datetime.timedelta) else time
    return f"PT{seconds:.3f}S"

"""Failures of calls, and exceptions by which a handler says how its attempt ended."""

from .api import ProblemDetail


class DelayJobError(Exception):
    """The server refused a request, or gave no answer. The message is one sentence that says what to do.

    status is the HTTP status of the last answer, None if there was none; problem its body, None if it is none of a delayjob server.
    reached says whether a connection was ever made, unsure whether the request may have taken effect.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        problem: ProblemDetail | None = None,
        reached: bool,
        unsure: bool,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.problem = problem
        self.reached = reached
        self.unsure = unsure

    @property
    def type(self) -> str:
        """The kind of problem, such as "no-such-job"; empty if the answer names none."""
        return self.problem["type"].removeprefix("urn:delayjob:problem:") if self.problem else ""


class NonRetryableError(Exception):
    """Raised by a handler: the job is dead at once, whatever attempts it has left."""


class RateLimitedError(Exception):
    """Raised by a handler that was told to slow down: the attempt does not count, and no job with the same key begins for this time, such as "PT30S".

    Without a key, no job of its queue begins.
    """

    def __init__(self, message: str, delay: str) -> None:
        super().__init__(message)
        self.delay = delay


class RetryLaterError(Exception):
    """Raised by a handler: the next attempt follows after this delay, such as "PT30S", instead of the job's backoff."""

    def __init__(self, message: str, delay: str) -> None:
        super().__init__(message)
        self.delay = delay

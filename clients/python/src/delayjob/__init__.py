"""Submits delayed jobs to a delayjob server, and runs them."""

from .client import DelayJobClient, duration
from .errors import DelayJobError, NonRetryableError, RateLimitedError, RetryLaterError
from .run import Attempt, Handler
from .worker import Worker

__all__ = [
    "Attempt",
    "DelayJobClient",
    "DelayJobError",
    "Handler",
    "NonRetryableError",
    "RateLimitedError",
    "RetryLaterError",
    "Worker",
    "duration",
]

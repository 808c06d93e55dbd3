"""Settlements in batches."""

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import NamedTuple

from .api import Settlement
from .connection import Address, Connection, written
from .errors import DelayJobError

MOST = 1_000
SHORT_TRIES = 3
"""So many tries are short enough for another one within a lease. A server that is slow rather than silent gets longer for all that follow."""
SHORT_TRY_TIME = 3.0
LONG_TRY_TIME = 10.0


class Settled(NamedTuple):
    """The answer to a settlement. If it was sent more than once, an earlier try may have been applied."""

    applied: bool
    repeated: bool


class Settler:
    """Sends settlements from a thread of its own: one request at a time, with all that has gathered meanwhile."""

    def __init__(self, address: Address, shortest_lease: Callable[[], float]) -> None:
        """shortest_lease is that of the jobs in hand; infinite if there are none."""
        self._shortest_lease = shortest_lease
        self._connection = Connection(address)
        self._deadline = float("inf")
        self._waiting: queue.SimpleQueue[tuple[str, Future[Settled]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._send_all, name="delayjob-settler", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def end_within(self, seconds: float) -> None:
        """Waits for a server that does not answer only so long from now on; until then it waits without end."""
        self._deadline = time.monotonic() + seconds

    def end(self) -> None:
        """Waits until all that was settled so far is sent."""
        self._waiting.put(None)
        self._thread.join()

    def settle(self, settlement: Settlement) -> "Future[Settled]":
        """Raises TypeError by itself if it cannot be written as JSON, and does not fail the others of its request."""
        settled: Future[Settled] = Future()
        self._waiting.put((written(settlement), settled))
        return settled

    def _send_all(self) -> None:
        while batch := self._gathered():
            self._send(batch)

    def _gathered(self) -> "list[tuple[str, Future[Settled]]]":
        """All that waits, at least one; none at the end."""
        batch: list[tuple[str, Future[Settled]]] = []
        while not batch or (len(batch) < MOST and not self._waiting.empty()):
            if (one := self._waiting.get()) is None:
                if batch:
                    self._waiting.put(None)
                return batch
            batch.append(one)
        return batch

    def _try_time(self, tries: int) -> float:
        return LONG_TRY_TIME if tries > SHORT_TRIES else min(SHORT_TRY_TIME, self._shortest_lease() / 4)

    def _send(self, batch: list[tuple[str, "Future[Settled]"]]) -> None:
        """If the server refuses the request, each half is sent by itself, so that one settlement that is not valid stops no other."""
        try:
            body = f'{{"settlements": [{", ".join(settlement for settlement, _ in batch)}]}}'
            answer, tries = self._connection.call(
                "POST", "/settlements", "results", body,
                try_time=self._try_time, deadline=float("inf"), patience=lambda failure: time.monotonic() < self._deadline)
            for result, (_, settled) in zip(answer["results"], batch):
                settled.set_result(Settled(result["applied"], tries > 1))
        except Exception as error:
            if len(batch) > 1 and isinstance(error, DelayJobError) and error.status in (400, 413):
                half = len(batch) // 2
                self._send(batch[:half])
                self._send(batch[half:])
            else:
                for _, settled in batch:
                    settled.set_exception(error)

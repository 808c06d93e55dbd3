"""A worker: claims due jobs, and runs them."""

import logging
import os
import queue
import socket
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from .api import ClaimedJobView
from .client import DelayJobClient, duration
from .connection import Connection, HungUp, written
from .errors import DelayJobError
from .run import Attempt, Handler, Run
from .settler import Settler
from .slots import Slots

ANSWER_TIME = 10.0
REPEAT_TIME = 2.0
END_TIME = 0.5
TICK = 0.1
MOST = 200
"""A claim with an id gets no more jobs."""
SHORTEST_WAIT = 0.001
LONGEST_WAIT = 60

LOG = logging.getLogger("delayjob")


class Worker:
    """Claims due jobs and runs them, each in a thread, until it is stopped.

    The lease of a job is extended while its handler runs. A claim whose answer was lost is repeated with its id, so that its jobs run at
    once and lose no attempt. Outages of the server are waited out.
    """

    def __init__(
        self,
        client: DelayJobClient,
        queues: Sequence[str],
        handlers: Mapping[str, Handler],
        *,
        concurrency: int = 10,
        claims: int = 2,
        wait: float = 20,
        lease: str | None = None,
        name: str | None = None,
        grace: float = 20,
        on_problem: Callable[[Exception], None] = lambda problem: LOG.warning("%s", problem),
    ) -> None:
        """Times are in seconds.

        queues are in order of preference. handlers run the jobs of each topic; a job of another topic fails its attempt. concurrency is
        how many jobs run at once, claims how many claims wait at once, wait how long a claim waits for a job, 0.001 to 60. lease, such as
        "PT30S", is that of jobs that were submitted without one; that of the queue if None. name is shown with the jobs; host and process
        id if None. grace is how long running jobs may take when the worker stops. on_problem is told what goes wrong, an outage once; it
        logs a warning if left out.
        """
        if concurrency < 1 or claims < 1:
            raise ValueError("concurrency and claims must be at least 1")
        _check_range("wait", wait, SHORTEST_WAIT, LONGEST_WAIT)
        _check_range("grace", grace, 0, int(threading.TIMEOUT_MAX))
        self._client = client
        self._handlers = handlers
        self._claims = min(claims, concurrency)
        self._share = min(-(-concurrency // self._claims), MOST)
        self._grace = grace
        self._on_problem = on_problem
        self._wait = wait
        self._claim: dict[str, Any] = {"queues": list(queues), "worker": name or f"{socket.gethostname()}-{os.getpid()}"}
        if lease is not None:
            self._claim["lease"] = lease
        self._slots = Slots(concurrency)
        self._settler = Settler(client.address, lambda: min((run.lease for run in self._running()), default=float("inf")))
        self._stops: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._runs: dict[Run, threading.Thread] = {}
        self._runs_lock = threading.Lock()
        self._failure: BaseException | None = None
        self._reached = False
        self._outage = False

    def run(self) -> None:
        """Works until stop is called, and its jobs have ended or were given back. Called once.

        Raises DelayJobError if the server refuses the worker, or was never reached within the client's timeout. An exception of a signal
        handler, such as KeyboardInterrupt, stops it in the same way, and is raised then.
        """
        self._settler.start()
        ticking = threading.Thread(target=self._tick, name="delayjob-ticker", daemon=True)
        ticking.start()
        connections = [Connection(self._client.address) for _ in range(self._claims)]
        loops = [
            threading.Thread(target=self._claim_while_it_runs, args=(connection,), name="delayjob-claimer", daemon=True)
            for connection in connections
        ]
        try:
            for loop in loops:
                loop.start()
            self._stops.get()
        finally:
            self._slots.close()
            for loop, connection in zip(loops, connections):
                while loop.is_alive():
                    connection.hang_up()
                    loop.join(TICK)
            self._end_runs()
            self._settler.end()
            self._ended.set()
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """Claims nothing more. May be called by a signal handler.

        Running jobs get the grace period, then their attempts are told to end, and given back half a second later.
        """
        # Reentrant, unlike an event: a signal handler may interrupt the wait for it.
        self._stops.put(None)

    def _claim_while_it_runs(self, connection: Connection) -> None:
        try:
            while free := self._slots.take(self._share):
                jobs, late = self._claim_jobs(connection, free)
                self._slots.give(free - len(jobs))
                for job in jobs:
                    self._begin(job, late)
        except BaseException as failure:
            self._failure = self._failure or failure
            self.stop()

    def _claim_jobs(self, connection: Connection, most: int) -> tuple[list[ClaimedJobView], bool]:
        body = self._claim | {"max": most, "wait": duration(self._wait), "claimId": str(uuid.uuid4())}
        begun = time.monotonic()
        try:
            answer, tries = connection.call(
                "POST", "/claims", "jobs", written(body), try_time=self._wait + ANSWER_TIME, deadline=float("inf"),
                patience=lambda failure: self._is_patient(failure, begun))
        except HungUp:
            self._give_back_claimed(body | {"wait": duration(0)})
            return [], False
        self._reached = True
        self._outage = False
        return answer["jobs"], tries > 1

    def _give_back_claimed(self, body: dict[str, Any]) -> None:
        """A claim that was hung up may have been answered meanwhile: its repeat says with which jobs."""
        try:
            answer, _ = Connection(self._client.address).call(
                "POST", "/claims", "jobs", written(body), try_time=ANSWER_TIME, deadline=time.monotonic() + REPEAT_TIME)
        except DelayJobError:
            return  # They run when their leases end.
        for job in answer["jobs"]:
            Run(job, self._settler, self._on_problem).give_back()

    def _is_patient(self, failure: DelayJobError, begun: float) -> bool:
        """A server that was never reached may have another address; any other outage is waited out."""
        self._reached = self._reached or failure.reached
        if self._reached and not self._outage:
            self._on_problem(failure)
            self._outage = True
        return self._reached or time.monotonic() - begun < self._client.timeout

    def _begin(self, job: ClaimedJobView, late: bool) -> None:
        run = Run(job, self._settler, self._on_problem)
        handler = self._handlers.get(job["topic"], _no_handler)
        thread = threading.Thread(target=self._work, args=(run, handler, late), name=f"delayjob-{job['id']}", daemon=True)
        with self._runs_lock:
            self._runs[run] = thread
        thread.start()

    def _work(self, run: Run, handler: Handler, late: bool) -> None:
        try:
            run.run(handler, late)
        finally:
            with self._runs_lock:
                del self._runs[run]
            self._slots.give(1)

    def _tick(self) -> None:
        while not self._ended.wait(TICK):
            now = time.monotonic()
            for run in self._running():
                run.tick(now)

    def _running(self) -> dict[Run, threading.Thread]:
        with self._runs_lock:
            return dict(self._runs)

    def _end_runs(self) -> None:
        self._await_runs(self._grace)
        self._settler.end_within(ANSWER_TIME)
        for run in self._running():
            run.stop()
        self._await_runs(END_TIME)
        for run in self._running():
            run.give_back()

    def _await_runs(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        for thread in self._running().values():
            thread.join(max(end - time.monotonic(), 0))


def _check_range(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} must be {least} to {most} seconds: {value}")


def _no_handler(job: ClaimedJobView, attempt: Attempt) -> NoReturn:
    raise LookupError(f"this worker has no handler for topic '{job['topic']}'")

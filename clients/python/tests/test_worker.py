"""Workers of a server that hands out jobs as it is told."""

import datetime
import threading
import time
import unittest
from collections.abc import Callable
from typing import Any
from unittest import mock

from delayjob import DelayJobClient, NonRetryableError, RateLimitedError, RetryLaterError, Worker
from delayjob.run import seconds
from fake_server import CUT, Answer, FakeServer, Heard, problem


class Jobs:
    """Hands out jobs once, and says of settlements what it is told."""

    def __init__(self, *jobs: dict[str, Any]) -> None:
        self.jobs = list(jobs)
        self.settled: list[dict[str, Any]] = []
        self.batches = 0
        self.applies: Callable[[Any], bool] = lambda settlement: True
        self.refuses: Callable[[Any], bool] = lambda settlement: False
        self.over = threading.Event()
        self._lock = threading.Lock()

    def answer(self, heard: Heard) -> Answer:
        if heard.path == "/api/v1/claims":
            with self._lock:
                jobs = [self.jobs.pop(0) for _ in range(min(heard.body["max"], len(self.jobs)))]
            if not jobs and heard.body["wait"] != "PT0.000S":
                self.over.wait()
            return Answer(200, {"jobs": jobs})
        settlements = heard.body["settlements"]
        if any(self.refuses(one) for one in settlements):
            return problem(400, "invalid-value")
        self.batches += 1
        self.settled += settlements
        return Answer(200, {"results": [{"handle": one["handle"], "applied": self.applies(one)} for one in settlements]})


def job(id: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "queue": "q", "topic": "t", "param": None, "attempt": 1, "handle": f"h-{id}", "lease": "PT30S"} | more


class WorkerTest(unittest.TestCase):
    def work(self, jobs: Jobs, handler: Any, until: Callable[[], bool], script: Any = None, **options: Any) -> list[str]:
        """Works until a condition holds; answers the problems."""
        server = FakeServer(script or jobs.answer)
        self.addCleanup(server.stop)
        self.addCleanup(jobs.over.set)
        problems: list[str] = []
        client = DelayJobClient(server.url, "t", timeout=60)
        worker = Worker(client, ["q"], {"t": handler}, on_problem=lambda problem: problems.append(str(problem)), **options)
        running = threading.Thread(target=worker.run)
        running.start()
        while not until():
            time.sleep(0.01)
        worker.stop()
        running.join()
        return problems

    def test_a_handler_decides_how_its_job_is_settled(self) -> None:
        def handle(job: Any, attempt: Any) -> Any:
            match job["id"]:
                case "result":
                    return {"a": 1}
                case "failed":
                    raise ValueError("boom")
                case "later":
                    raise RetryLaterError("busy", "PT5M")
                case "dead":
                    raise NonRetryableError("bad")
                case "slow":
                    raise RateLimitedError("429", "PT30S")

        jobs = Jobs(*(job(id) for id in ("done", "result", "failed", "later", "dead", "slow")), job("other", topic="x"))
        self.work(jobs, handle, lambda: len(jobs.settled) == 7)
        self.assertEqual(
            {one["handle"]: {name: one[name] for name in one if name != "handle"} for one in jobs.settled},
            {
                "h-done": {"action": "complete"},
                "h-result": {"action": "complete", "result": {"a": 1}},
                "h-failed": {"action": "retry", "error": "ValueError: boom"},
                "h-later": {"action": "retry", "error": "RetryLaterError: busy", "delay": "PT5M"},
                "h-dead": {"action": "bury", "error": "NonRetryableError: bad"},
                "h-slow": {"action": "release", "delay": "PT30S", "slowKey": True},
                "h-other": {"action": "retry", "error": "LookupError: this worker has no handler for topic 'x'"},
            },
        )

    def test_settlements_that_gather_are_sent_together(self) -> None:
        jobs = Jobs(*(job(str(i)) for i in range(50)))
        together = threading.Barrier(50)
        self.work(jobs, lambda job, attempt: together.wait() and None, lambda: len(jobs.settled) == 50, concurrency=50, claims=1)
        self.assertLess(jobs.batches, 50)

    def test_no_more_jobs_than_the_concurrency_run_at_once(self) -> None:
        jobs = Jobs(*(job(str(i)) for i in range(20)))
        places = threading.Semaphore(3)
        too_many: list[str] = []

        def handle(job: Any, attempt: Any) -> None:
            if not places.acquire(blocking=False):
                too_many.append(job["id"])
                return
            time.sleep(0.005)
            places.release()

        self.work(jobs, handle, lambda: len(jobs.settled) == 20, concurrency=3, claims=2)
        self.assertEqual(too_many, [])

    def test_a_settlement_that_the_server_refuses_stops_no_other_and_fails_its_attempt_with_the_reason(self) -> None:
        jobs = Jobs(job("a"), job("b"), job("c"))
        jobs.refuses = lambda settlement: settlement["handle"] == "h-b" and settlement["action"] == "complete"
        problems = self.work(jobs, lambda job, attempt: None, lambda: len(jobs.settled) == 3)
        self.assertEqual(sorted(one["handle"] for one in jobs.settled), ["h-a", "h-b", "h-c"])
        [refused] = [one for one in jobs.settled if one["handle"] == "h-b"]
        self.assertEqual(refused["action"], "retry")
        self.assertRegex(refused["error"], r"^DelayJobError: .* answered 400 \(invalid-value\): it is invalid-value$")
        self.assertEqual(len(problems), 1)
        self.assertIn("invalid-value", problems[0])

    def test_a_delay_that_is_refused_leaves_the_error_of_the_handler_with_the_reason(self) -> None:
        delay: Any
        for delay, reason in (("5m", "answered 400 "), (datetime.timedelta(minutes=5), "delay cannot be written as JSON ")):
            with self.subTest(reason):
                jobs = Jobs(job("1"))
                jobs.refuses = lambda settlement: "delay" in settlement

                def handle(job: Any, attempt: Any, delay: Any = delay) -> None:
                    raise RetryLaterError("busy", delay)

                self.work(jobs, handle, lambda: len(jobs.settled) == 1)
                [settled] = jobs.settled
                self.assertEqual((settled["handle"], settled["action"], len(settled)), ("h-1", "retry", 3))
                self.assertRegex(settled["error"], f"{reason}.*; the error of the handler: RetryLaterError: busy$")

    def test_a_settlement_that_the_server_refuses_in_every_form_is_told_and_given_up(self) -> None:
        jobs = Jobs(job("a"), job("b"))
        jobs.refuses = lambda settlement: settlement["handle"] == "h-b"
        problems = self.work(jobs, lambda job, attempt: None, lambda: len(jobs.settled) == 1)
        self.assertEqual([one["handle"] for one in jobs.settled], ["h-a"])
        self.assertEqual(len(problems), 2)

    def test_a_result_that_is_too_long_for_the_server_fails_the_attempt(self) -> None:
        jobs = Jobs(job("fits", param=4_095), job("long", param=4_096))
        self.work(jobs, lambda job, attempt: "é" * job["param"], lambda: len(jobs.settled) == 2)
        fits, long = sorted(jobs.settled, key=lambda one: one["handle"])
        self.assertEqual(fits["action"], "complete")
        self.assertEqual(long["action"], "retry")
        self.assertEqual(long["error"], "ValueError: the result takes 8194 bytes as JSON, more than 8192; store it elsewhere")

    def test_a_job_that_is_lost_is_told_to_end_and_not_settled(self) -> None:
        jobs = Jobs(job("1", lease="PT0.3S"))
        jobs.applies = lambda settlement: settlement["action"] != "extend"
        ended = threading.Event()
        self.work(jobs, lambda job, attempt: attempt.ended.wait() and ended.set(), ended.is_set)
        self.assertEqual({one["action"] for one in jobs.settled}, {"extend"})

    def test_a_settlement_that_is_not_answered_is_sent_again_within_the_lease(self) -> None:
        jobs = Jobs(job("1", lease="PT4S"))
        heard_at: list[float] = []

        def answer(heard: Heard) -> Any:
            if heard.path == "/api/v1/settlements":
                heard_at.append(time.monotonic())
                if len(heard_at) == 1:
                    jobs.over.wait()
            return jobs.answer(heard)

        self.work(jobs, lambda job, attempt: time.sleep(3), lambda: len(jobs.settled) > 0, script=answer)
        self.assertLess(heard_at[1] - heard_at[0], 4)

    def test_extensions_do_not_pile_up_while_the_server_does_not_answer(self) -> None:
        jobs = Jobs(job("1", lease="PT0.3S"))
        batches: list[list[str]] = []

        def answer(heard: Heard) -> Any:
            if heard.path == "/api/v1/settlements":
                batches.append([one["action"] for one in heard.body["settlements"]])
                if len(batches) <= 4:
                    return CUT
            return jobs.answer(heard)

        self.work(jobs, lambda job, attempt: time.sleep(1.5), lambda: len(jobs.settled) > 0, script=answer)
        self.assertEqual(batches[0], ["extend"])
        self.assertTrue(all(batch.count("extend") <= 1 for batch in batches), batches)

    def test_a_job_that_outlasts_its_timeout_is_told_to_end_and_tried_again(self) -> None:
        jobs = Jobs(job("1", timeout="PT0.1S"))
        self.work(jobs, lambda job, attempt: attempt.ended.wait(), lambda: len(jobs.settled) == 1)
        error = "TimeoutError: the attempt took longer than PT0.1S"
        self.assertEqual(jobs.settled, [{"handle": "h-1", "action": "retry", "error": error}])

    def test_progress_is_shown(self) -> None:
        jobs = Jobs(job("1"))
        self.work(jobs, lambda job, attempt: attempt.progress(50, "half"), lambda: len(jobs.settled) == 2)
        shown = {"percent": 50, "text": "half"}
        self.assertEqual(jobs.settled[0], {"handle": "h-1", "action": "progress", "progress": shown})

    def test_progress_that_cannot_be_written_as_json_fails_its_own_attempt_alone(self) -> None:
        jobs = Jobs(job("a"), job("b"))

        def handle(job: Any, attempt: Any) -> None:
            attempt.progress(datetime.timedelta(1) if job["id"] == "a" else 50)

        self.work(jobs, handle, lambda: len(jobs.settled) == 3)
        [failed] = [one for one in jobs.settled if one["handle"] == "h-a"]
        self.assertEqual(failed["action"], "retry")
        self.assertRegex(failed["error"], r"^TypeError: progress\.percent cannot be written as JSON")
        self.assertEqual([one["action"] for one in jobs.settled if one["handle"] == "h-b"], ["progress", "complete"])

    def test_a_handler_that_does_not_end_is_given_back_when_the_worker_stops(self) -> None:
        jobs = Jobs(job("1"))
        began = threading.Event()

        def handle(job: Any, attempt: Any) -> None:
            began.set()
            jobs.over.wait()

        self.work(jobs, handle, began.is_set, grace=0.01)
        self.assertEqual(jobs.settled, [{"handle": "h-1", "action": "release"}])

    def test_a_handler_that_exits_fails_its_attempt(self) -> None:
        for error in (SystemExit(1), KeyboardInterrupt("1")):
            jobs = Jobs(job("1"))

            def handle(job: Any, attempt: Any, error: BaseException = error) -> None:
                raise error

            self.work(jobs, handle, lambda: len(jobs.settled) == 1)
            self.assertEqual(jobs.settled, [{"handle": "h-1", "action": "retry", "error": f"{type(error).__name__}: 1"}])

    def test_an_exception_of_a_signal_handler_stops_the_worker_in_order(self) -> None:
        jobs = Jobs(job("1"))
        server = FakeServer(jobs.answer)
        self.addCleanup(server.stop)
        self.addCleanup(jobs.over.set)
        began = threading.Event()

        def handle(job: Any, attempt: Any) -> None:
            began.set()
            attempt.ended.wait()
            raise InterruptedError

        def interrupt() -> None:
            began.wait()
            raise KeyboardInterrupt

        worker = Worker(DelayJobClient(server.url, "t"), ["q"], {"t": handle}, grace=0.01)
        worker._stops = mock.Mock(get=interrupt)
        with self.assertRaises(KeyboardInterrupt):
            worker.run()
        self.assertEqual(jobs.settled, [{"handle": "h-1", "action": "release"}])
        self.assertNotIn("delayjob-claimer", [thread.name for thread in threading.enumerate()])

    def test_a_handler_that_fails_because_its_worker_stops_gives_its_job_back(self) -> None:
        for error in (NonRetryableError("told to end"), RetryLaterError("told to end", "PT5S"), ValueError("told to end")):
            jobs = Jobs(job("1"))
            began = threading.Event()

            def handle(job: Any, attempt: Any, began: threading.Event = began, error: Exception = error) -> None:
                began.set()
                attempt.ended.wait()
                raise error

            self.work(jobs, handle, began.is_set, grace=0.01)
            self.assertEqual(jobs.settled, [{"handle": "h-1", "action": "release"}])

    def test_times_that_a_worker_cannot_keep_are_refused(self) -> None:
        client = DelayJobClient("http://localhost", "t")
        for wait in (0, -1, float("nan"), float("inf"), 60.5):
            with self.subTest(wait=wait), self.assertRaisesRegex(ValueError, f"^wait must be 0.001 to 60 seconds: {wait}$"):
                Worker(client, ["q"], {}, wait=wait)
        for grace in (-1, float("nan"), float("inf")):
            with self.subTest(grace=grace), self.assertRaisesRegex(ValueError, f"^grace must be 0 to .* seconds: {grace}$"):
                Worker(client, ["q"], {}, grace=grace)

    def test_durations_of_the_server_are_read(self) -> None:
        self.assertEqual(seconds("PT9S"), 9)
        self.assertEqual(seconds("PT1H30M0.25S"), 5400.25)
        self.assertIsNone(seconds("P1D"))

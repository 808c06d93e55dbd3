"""Calls of a server that answers as it is told."""

import datetime
import ssl
import time
import unittest
from typing import Any
from unittest import mock

from delayjob import DelayJobClient, DelayJobError, duration
from fake_server import CUT, Answer, FakeServer, Heard, in_turn, problem

STORED = Answer(201, {"id": "1", "queue": "mail", "outcome": "STORED"})
EXISTS = Answer(200, {"id": "1", "queue": "mail", "outcome": "EXISTS"})
JOB: Any = {"topic": "greet", "delay": "PT1S"}


class ClientTest(unittest.TestCase):
    def started(self, script: Any, timeout: float = 60) -> tuple[FakeServer, DelayJobClient]:
        server = FakeServer(script)
        self.addCleanup(server.stop)
        return server, DelayJobClient(server.url + "/", "secret", timeout=timeout)

    def test_a_job_without_an_id_keeps_the_id_of_its_first_try(self) -> None:
        server, client = self.started(in_turn(CUT, EXISTS))
        self.assertEqual(client.submit("mail", JOB)["outcome"], "STORED")
        first, second = server.heard
        self.assertEqual(first.path, "/api/v1/queues/mail/jobs")
        self.assertEqual(first.headers["Authorization"], "Bearer secret")
        self.assertTrue(first.body["id"])
        self.assertEqual(first.body, second.body)

    def test_an_id_that_is_none_is_no_id(self) -> None:
        server, client = self.started(in_turn(CUT, EXISTS))
        self.assertEqual(client.submit("mail", JOB | {"id": None, "dedupe": None})["outcome"], "STORED")
        first, second = server.heard
        self.assertTrue(first.body["id"])
        self.assertEqual(first.body, second.body)

    def test_an_id_of_the_caller_exists_after_a_repeat(self) -> None:
        _, client = self.started(in_turn(CUT, EXISTS))
        self.assertEqual(client.submit("mail", JOB | {"id": "1"})["outcome"], "EXISTS")

    def test_an_idempotency_key_is_sent_with_every_try(self) -> None:
        server, client = self.started(in_turn(CUT, STORED))
        client.submit("mail", JOB, idempotency_key="order-42")
        self.assertEqual([heard.headers["Idempotency-Key"] for heard in server.heard], ["order-42"] * 2)
        self.assertNotIn("id", server.heard[0].body)

    def test_a_job_with_a_dedupe_key_gets_an_idempotency_key(self) -> None:
        server, client = self.started(in_turn(CUT, STORED))
        client.submit("mail", JOB | {"dedupe": {"key": "k", "scope": "UNTIL_STARTED"}})
        first, second = (heard.headers["Idempotency-Key"] for heard in server.heard)
        self.assertTrue(first)
        self.assertEqual(first, second)

    def test_many_jobs_are_stored_by_one_request(self) -> None:
        results = [{"id": "1", "outcome": "EXISTS"}, {"id": "2", "outcome": "EXISTS"}]
        server, client = self.started(in_turn(CUT, Answer(200, {"jobs": results})))
        stored = client.submit_all("mail", [JOB, JOB | {"id": "2"}])
        self.assertEqual([result["outcome"] for result in stored], ["STORED", "EXISTS"])
        self.assertEqual(server.heard[0].path, "/api/v1/queues/mail/jobs/batch")

    def test_a_job_is_found_and_cancelled_by_its_encoded_id(self) -> None:
        def answer(heard: Heard) -> Answer:
            return Answer(200, {"state": "READY"} if heard.method == "GET" else {"id": "a/b", "done": True})

        server, client = self.started(answer)
        found = client.find("mail", "a/b")
        self.assertEqual(found and found["state"], "READY")
        self.assertTrue(client.cancel("mail", "a/b")["done"])
        self.assertEqual([heard.path for heard in server.heard], ["/api/v1/queues/mail/jobs/a%2Fb"] * 2)

    def test_a_job_that_is_not_there_is_neither_found_nor_cancelled(self) -> None:
        _, client = self.started(lambda heard: problem(404, "no-such-job"))
        self.assertIsNone(client.find("mail", "1"))
        self.assertEqual(client.cancel("mail", "1"), {"id": "1", "done": False})

    def test_a_busy_server_is_asked_again_not_before_retry_after(self) -> None:
        for status in (408, 429, 500, 502, 503):
            with self.subTest(status):
                _, client = self.started(in_turn(Answer(status, b"<html>", {"Retry-After": "1"}), STORED))
                begun = time.monotonic()
                client.submit("mail", JOB)
                self.assertGreaterEqual(time.monotonic() - begun, 0.99)

    def test_an_answer_that_closes_its_connection_is_followed_by_another_one(self) -> None:
        server, client = self.started(lambda heard: STORED._replace(headers={"Connection": "close"}))
        for _ in range(2):
            self.assertEqual(client.submit("mail", JOB)["outcome"], "STORED")
        self.assertEqual(len(server.heard), 2)

    def test_a_wait_that_is_longer_than_the_timeout_is_not_begun(self) -> None:
        server, client = self.started(lambda heard: problem(429, "too-many-requests", {"Retry-After": "3600"}))
        error = self.failure(client)
        self.assertEqual((error.status, error.unsure, error.type), (429, False, "too-many-requests"))
        self.assertEqual(len(server.heard), 1)

    def test_a_submit_that_replicas_did_not_acknowledge_is_not_repeated(self) -> None:
        server, client = self.started(lambda heard: problem(503, "not-confirmed", outcome="NOT_REPLICATED"))
        self.assertEqual((self.failure(client).problem or {}).get("outcome"), "NOT_REPLICATED")
        self.assertEqual(len(server.heard), 1)

    def test_a_failure_says_whether_the_job_may_be_stored(self) -> None:
        _, client = self.started(lambda heard: CUT, timeout=1)
        error = self.failure(client)
        self.assertTrue(error.unsure and error.reached)

    def test_a_refusal_says_what_to_do(self) -> None:
        url = "the url is not the address of a delayjob server (without /api/v1), or the server is older than this client"
        for answer, words in (
            (problem(401, "unauthenticated"), "401 (unauthenticated): it is unauthenticated; use a valid token of this server"),
            (Answer(404, b"<html></html>"), f"answered 404; {url}"),
            (Answer(302, b"", {"Location": "/login"}), f"answered 302; {url}"),
            (Answer(200, b"<html></html>"), "answered 200, but not as a delayjob server does; is the url the address of one?"),
            (Answer(200, {"state": "UP"}), "answered 200, but not as a delayjob server does; is the url the address of one?"),
            (problem(400, "invalid-body", detail="unknown field 'tags'"), "the field is misspelled, or the server is older than this client"),
        ):
            with self.subTest(words):
                server, client = self.started(lambda heard: answer)
                message = str(self.failure(client))
                self.assertTrue(message.endswith(words), message)
                self.assertEqual(len(server.heard), 1)

    def test_a_value_that_cannot_be_written_as_json_is_named_and_nothing_is_sent(self) -> None:
        server, client = self.started(lambda heard: STORED)
        job = JOB | {"param": {"after": datetime.timedelta(1)}}
        with self.assertRaisesRegex(TypeError, r"^param\.after cannot be written as JSON \(.*timedelta"):
            client.submit("mail", job)
        with self.assertRaisesRegex(TypeError, r"^jobs\.1\.param\.after cannot"):
            client.submit_all("mail", [JOB, job])
        circular: dict[str, Any] = {}
        circular["self"] = circular
        with self.assertRaisesRegex(TypeError, r"^param\.self\.self\.self\.self cannot"):
            client.submit("mail", JOB | {"param": circular})
        self.assertEqual(server.heard, [])

    def test_an_address_without_a_server_is_named(self) -> None:
        server = FakeServer(lambda heard: STORED)
        server.stop()
        error = self.failure(DelayJobClient(server.url, "t", timeout=1))
        self.assertRegex(str(error), f"^{server.url}.* cannot be reached .*; check the url, and that the server runs$")
        self.assertFalse(error.unsure or error.reached)

    def test_a_handshake_that_fails_is_tried_again_but_not_with_a_certificate_that_is_refused(self) -> None:
        for cause, again in ((ssl.SSLEOFError("EOF"), True), (ssl.SSLCertVerificationError("self-signed"), False)):
            with self.subTest(cause), mock.patch("http.client.HTTPSConnection.connect", side_effect=cause) as connect:
                error = self.failure(DelayJobClient("https://localhost:1", "t", timeout=1))
                self.assertIn("cannot be reached", str(error))
                self.assertEqual(connect.call_count > 1, again)

    def test_an_address_or_a_token_that_cannot_be_one_is_refused_at_once(self) -> None:
        for url in ("", "localhost:8080", "ftp://host", "http://user@host", "http://host?a=b"):
            with self.assertRaisesRegex(ValueError, "url must be the address"):
                DelayJobClient(url, "t")
        with self.assertRaisesRegex(ValueError, "token must be"):
            DelayJobClient("http://host", "a b")

    def test_durations_are_written_as_iso_8601(self) -> None:
        self.assertEqual(duration(1.5), "PT1.500S")
        self.assertEqual(duration(datetime.timedelta(hours=1)), "PT3600.000S")

    def failure(self, client: DelayJobClient) -> DelayJobError:
        with self.assertRaises(DelayJobError) as caught:
            client.submit("mail", JOB)
        return caught.exception

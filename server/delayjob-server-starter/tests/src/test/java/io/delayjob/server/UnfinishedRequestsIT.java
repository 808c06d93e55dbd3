package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.Api.Answer;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Requests that never end are ended by the server, whoever sends them, and whether they were answered. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnfinishedRequestsIT {

    private static final String JOBS = "/api/v1/queues/q/jobs";
    private static final String JOB = "{\"topic\": \"t\", \"delay\": \"PT1H\"}";
    private static final int LARGE = 1_000_000;

    private final List<RawCaller> callers = new ArrayList<>();
    private TestServer server;

    /** A route of the application's own. */
    @RestController
    static class Uploads {

        @PostMapping("/uploads")
        Mono<String> upload(ServerHttpRequest request) {
            return request.getBody()
                    .map(Uploads::length)
                    .reduce(0, Integer::sum)
                    .map(String::valueOf);
        }

        private static int length(DataBuffer part) {
            int length = part.readableByteCount();
            DataBufferUtils.release(part);
            return length;
        }
    }

    @BeforeAll
    void start() {
        server = TestServer.Kind.NETTY.startWith(Uploads.class, "delayjob.server.body-timeout=5s");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @AfterEach
    void hangUp() throws IOException {
        for (RawCaller caller : callers) {
            caller.close();
        }
        callers.clear();
    }

    private RawCaller caller() throws IOException {
        RawCaller caller = RawCaller.to(server.port());
        callers.add(caller);
        return caller;
    }

    private RawCaller posting(String path, String token, long length, String... headers) throws IOException {
        RawCaller caller = RawCaller.posting(server.port(), path, token, length, headers);
        callers.add(caller);
        return caller;
    }

    @Test
    void whoeverDripsARequestIsHungUpOnAndTheApplicationsOwnAreNot() throws IOException {
        RawCaller upload = posting("/uploads", "", 10).send("12345");
        RawCaller withoutToken = posting(JOBS, "", LARGE);
        RawCaller withWrongToken = posting(JOBS, "no-such-token", LARGE);
        RawCaller ofAnUnknownRoute = posting("/api/v1/nothing", TestServer.ADMIN, LARGE);
        RawCaller withBadKey = posting(JOBS, TestServer.ADMIN, LARGE, "Idempotency-Key: ");
        RawCaller ofHeaders = caller().send("POST " + JOBS + " HTTP/1.1\r\nX: ");
        RawCaller ofSecondHeaders =
                posting(JOBS, TestServer.ADMIN, JOB.length()).send(JOB + "GET /api/v1/queues HTTP/1.1\r\nX: ");

        assertThat(withoutToken.status()).isEqualTo(401);
        assertThat(withWrongToken.status()).isEqualTo(401);
        assertThat(withBadKey.status()).isEqualTo(400);
        assertThat(ofSecondHeaders.status()).isEqualTo(201);
        for (RawCaller dripping :
                List.of(withoutToken, withWrongToken, ofAnUnknownRoute, withBadKey, ofHeaders, ofSecondHeaders)) {
            await().until(dripping::isClosedAfterOneMoreByte);
        }
        upload.send("67890");
        assertThat(upload.status()).isEqualTo(200);
    }

    /** The server keeps what comes before its turn; an answer that never ends would let it keep everything. */
    @Test
    void whoeverSendsMuchMoreBeforeAnAnswerHasEndedIsHungUpOn() throws IOException {
        RawCaller following = caller().send("GET /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                + TestServer.ADMIN + "\r\n\r\n");
        following.await("listening");
        byte[] part = new byte[64 * 1024];

        assertThatThrownBy(() -> {
                    following.send("POST " + JOBS + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n");
                    for (int sent = 0; sent < 200; sent++) {
                        following.send(part);
                    }
                })
                .isInstanceOf(IOException.class);
    }

    @Test
    void aGoodCallerIsAnsweredBesideManyThatNeverEndTheirBodies() throws IOException {
        answersBeside(40);
    }

    @Test
    @Tag("proof")
    void aGoodCallerIsAnsweredBesideAThousandThatNeverEndTheirBodies() throws IOException {
        answersBeside(1000);
        for (RawCaller greedy : callers) {
            await().pollDelay(Duration.ZERO).until(greedy::isClosedAfterOneMoreByte);
        }
    }

    private void answersBeside(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            posting(JOBS, i % 2 == 0 ? "" : TestServer.ADMIN, LARGE).send("{");
        }
        for (int i = 0; i < 20; i++) {
            Answer stored = server.api().post("/queues/good/jobs", JOB);
            assertThat(stored.status()).as("%s", stored).isEqualTo(201);
        }
    }
}

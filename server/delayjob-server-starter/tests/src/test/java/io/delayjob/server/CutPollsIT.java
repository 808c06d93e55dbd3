package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.testing.CuttingProxy;
import io.delayjob.testing.CuttingProxy.Cut;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A network that cuts one poll in ten: while it waits, before its answer, or within it. Workers repeat it by its id at another server. */
@Tag("proof")
@RealRedis
class CutPollsIT {

    private static final int JOBS = 2000;
    private static final int SPREAD_MILLIS = 2000;
    private static final int WORKERS = 10;
    private static final int ONE_IN = 10;
    private static final List<Cut> CUTS = List.of(Cut.WHILE_IT_WAITS, Cut.BEFORE_THE_ANSWER, Cut.WITHIN_THE_ANSWER);
    private static final AtomicInteger POLLS = new AtomicInteger();

    /** Longer than the test: no job may have to wait until a lease ends. */
    private static final Duration LEASE = Duration.ofMinutes(5);

    private final Queue<Run> runs = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<TestServer> servers = new ArrayList<>();
    private final List<CuttingProxy> proxies = new ArrayList<>();

    /** A job that a worker got, and what its completion was answered with. */
    private record Run(String id, int attempt, Instant dueAt, Instant gotAt, boolean applied) {}

    @BeforeEach
    void start() throws IOException {
        String prefix = TestServer.prefix();
        for (int i = 0; i < 2; i++) {
            TestServer server = TestServer.start(prefix, new String[0]);
            servers.add(server);
            proxies.add(new CuttingProxy(URI.create(server.api().url()), CutPollsIT::plan));
        }
    }

    @AfterEach
    void stop() throws IOException {
        for (CuttingProxy proxy : proxies) {
            proxy.close();
        }
        servers.forEach(TestServer::close);
    }

    /** Every tenth poll is cut, in turn at each of the points. */
    private static Cut plan() {
        int poll = POLLS.incrementAndGet();
        return poll % ONE_IN > 0 ? Cut.NOT : CUTS.get(poll / ONE_IN % CUTS.size());
    }

    @Test
    void whatACutPollClaimedIsHandedOutAgainAtOnce() {
        List<CompletableFuture<Void>> workers = IntStream.range(0, WORKERS)
                .mapToObj(number -> CompletableFuture.runAsync(() -> work(number), task -> new Thread(task).start()))
                .toList();
        try {
            submit(Instant.now().plusSeconds(1));
            await().atMost(LEASE.dividedBy(2))
                    .until(() ->
                            (runs.size() >= JOBS && CUTS.stream().allMatch(cut -> cuts(cut) > 0)) || isOver(workers));
        } finally {
            over.set(true);
        }
        workers.forEach(CompletableFuture::join);

        assertThat(runs).hasSize(JOBS).extracting(Run::id).doesNotHaveDuplicates();
        assertThat(runs).allSatisfy(run -> {
            assertThat(run.attempt()).isEqualTo(1);
            assertThat(run.gotAt()).isAfterOrEqualTo(run.dueAt());
            assertThat(run.applied()).isTrue();
        });
        assertThat(api(0).get("/queues/cut").json().path("reserved").asInt()).isZero();
        assertThat(CUTS).allSatisfy(cut -> assertThat(cuts(cut)).as(cut.name()).isPositive());
    }

    private static boolean isOver(List<CompletableFuture<Void>> workers) {
        return workers.stream().anyMatch(CompletableFuture::isDone);
    }

    private int cuts(Cut cut) {
        return proxies.stream().mapToInt(proxy -> proxy.count(cut)).sum();
    }

    private Api api(int server) {
        return servers.get(server).api();
    }

    private void submit(Instant start) {
        int batch = 1000;
        for (int from = 0; from < JOBS; from += batch) {
            String jobs = IntStream.range(from, from + batch)
                    .mapToObj(number -> "{\"id\": \"job-%d\", \"topic\": \"t\", \"dueAt\": \"%s\"}"
                            .formatted(number, start.plusMillis((long) number * SPREAD_MILLIS / JOBS)))
                    .collect(Collectors.joining(","));
            assertThat(api(0).post("/queues/cut/jobs/batch", "{\"jobs\": [" + jobs + "]}")
                            .status())
                    .isEqualTo(200);
        }
    }

    private void work(int number) {
        for (int poll = number; !over.get(); poll++) {
            JsonNode jobs = claimed(poll);
            Instant got = Instant.now();
            if (!jobs.isEmpty()) {
                complete(jobs, got);
            }
        }
    }

    /** The answer to a poll, which is repeated at the other server each time it is cut. */
    private JsonNode claimed(int poll) {
        String body = "{\"claimId\": \"%s\", \"max\": 5, \"wait\": \"PT0.5S\", \"lease\": \"%s\"}"
                .formatted(UUID.randomUUID(), LEASE);
        for (int number = poll; true; number++) {
            try {
                Api.Answer answer = new Api(proxies.get(number % proxies.size()).url(), TestServer.ADMIN)
                        .post("/queues/cut/claims", body);
                assertThat(answer.status()).as("%s", answer).isEqualTo(200);
                return answer.json().path("jobs");
            } catch (UncheckedIOException e) {
                // Cut: once more.
            }
        }
    }

    private void complete(JsonNode jobs, Instant got) {
        String settlements = jobs.valueStream()
                .map(job -> "{\"handle\": \"" + job.path("handle").asString() + "\", \"action\": \"complete\"}")
                .collect(Collectors.joining(","));
        JsonNode results = api(0).post("/settlements", "{\"settlements\": [" + settlements + "]}")
                .json()
                .path("results");
        for (int i = 0; i < jobs.size(); i++) {
            JsonNode job = jobs.get(i);
            runs.add(new Run(
                    job.path("id").asString(),
                    job.path("attempt").asInt(),
                    Instant.parse(job.path("dueAt").asString()),
                    got,
                    results.get(i).path("applied").asBoolean()));
        }
    }
}

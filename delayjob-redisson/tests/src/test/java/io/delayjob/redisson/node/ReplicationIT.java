package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobSubmissionException.Outcome;
import io.delayjob.QueueCounts;
import io.delayjob.ReplicationException;
import io.delayjob.SubmitResult;
import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Submits that replicas acknowledge, as their callers see them. */
class ReplicationIT {

    private static final Duration LONG = Duration.ofMinutes(3);
    private static final Duration SHORT = Duration.ofMillis(200);

    private final OwnRedis master = OwnRedis.start("--repl-diskless-sync-delay", "0");
    private final OwnRedis replica = OwnRedis.start("--replicaof", "127.0.0.1", Integer.toString(master.port()));
    private final String queue = TestSettings.queue();
    private final NoteJob job = new NoteJob();

    @AfterEach
    void close() {
        replica.close();
        master.close();
    }

    @Test
    void aSubmitThatNoReplicaAcknowledgedThrowsAndItsRepeatIsConfirmedAndTheJobRunsOnce() {
        try (TestNode node = submitter(1, 1, LONG)) {
            submit(node, "before");
            replica.pause();
        }
        try (TestNode node = submitter(1, 1, SHORT)) {
            ReplicationException failure =
                    catchThrowableOfType(ReplicationException.class, () -> submit(node, "close-42"));
            assertThat(failure.queue()).isEqualTo(queue);
            assertThat(failure.jobIds()).containsExactly("close-42");
            assertThat(failure.outcome()).isEqualTo(Outcome.NOT_REPLICATED);
            assertThat(failure.required()).isEqualTo(1);
            assertThat(failure.reached()).isZero();
            assertThat(failure)
                    .hasMessage(
                            "job 'close-42' for queue '" + queue + "' is stored on the master and will run unless the"
                                    + " master is lost before its replicas have it; to wait for them again, submit again with"
                                    + " the same id (an id that exists adds nothing): 0 of 1 replicas acknowledged it within PT0.2S; if"
                                    + " Redis has fewer, lower delayjob.replication.replicas (submit)");
            assertThat(asyncFailure(node, "async")).hasCauseInstanceOf(ReplicationException.class);
        }
        replica.resume();
        try (TestNode node = submitter(1, 1, LONG)) {
            assertThat(submit(node, "close-42")).isEqualTo(SubmitResult.Outcome.EXISTS);
            node.engine.start();
            await().atMost(LONG).until(() -> node.admin().counts(queue).equals(new QueueCounts(0, 0, 0, 0, 0, false)));
            assertThat(job.ids()).containsExactlyInAnyOrder("before", "close-42", "async");
        }
    }

    @Test
    void aConfirmedJobOutlivesItsMaster() throws Exception {
        try (TestNode node = submitter(1, 1, LONG)) {
            IntStream.range(0, 20).forEach(i -> submit(node, "job-" + i));
            master.kill();
        }
        RedisCall.call(replica.url(), "REPLICAOF", "NO", "ONE");
        try (TestNode node = TestNode.start(replica.url(), queue, job)) {
            await().atMost(LONG).until(() -> job.ids().size() == 20);
            assertThat(node.admin().counts(queue).dead()).isZero();
            assertThat(job.ids())
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, 20).mapToObj(i -> "job-" + i).toList());
        }
    }

    @Test
    void manyJobsOfSeveralShardsAndCallsAreToldOfOneByOne() {
        List<DelayJobRequest<Note>> requests =
                IntStream.range(0, 800).mapToObj(i -> request("job-" + i)).toList();
        try (TestNode node = submitter(2, 1, LONG)) {
            submit(node, "before");
            replica.pause();
        }
        try (TestNode node = submitter(2, 1, SHORT)) {
            ReplicationException failure = catchThrowableOfType(
                    ReplicationException.class, () -> node.producer().submitDelayJobs(requests, Duration.ofHours(1)));
            List<ReplicationException> all = Stream.concat(
                            Stream.of(failure),
                            Arrays.stream(failure.getSuppressed())
                                    .filter(ReplicationException.class::isInstance)
                                    .map(ReplicationException.class::cast))
                    .toList();
            assertThat(all).as("two shards, two calls each").hasSize(4);
            assertThat(all.stream().flatMap(one -> one.jobIds().stream()))
                    .hasSize(800)
                    .doesNotHaveDuplicates();
            assertThat(node.admin().counts(queue)).isIn(with800(1, 0), with800(0, 1));
        }
        replica.resume();
        try (TestNode node = submitter(2, 1, LONG)) {
            assertThat(node.producer().submitDelayJobs(requests, Duration.ofHours(1)))
                    .hasSize(800);
            assertThat(node.admin().counts(queue)).isIn(with800(1, 0), with800(0, 1));
        }
    }

    @Test
    void moreReplicasThanThereAreIsAFailureThatSaysHowManyThereAre() {
        try (TestNode node = submitter(1, 2, Duration.ofSeconds(1))) {
            await().atMost(LONG)
                    .until(() -> catchThrowableOfType(ReplicationException.class, () -> submit(node, "x"))
                                    .reached()
                            == 1);
        }
    }

    @Tag("proof")
    @Test
    void aRepeatOfACallWhoseReplyWasLostWaitsForTheReplicaAsWell() throws Exception {
        try (TestNode node = submitter(1, 1, LONG)) {
            submit(node, "before");
            replica.pause();
        }
        try (TestNode node = submitter(1, 1, Duration.ofSeconds(20))) {
            CompletableFuture<SubmitResult> lost = node.producer().submitAsync(request("lost"), Duration.ofHours(1));
            await().pollInterval(Duration.ofMillis(10))
                    .until(() -> RedisCall.call(master.url(), "INFO", "clients").contains("blocked_clients:1"));
            RedisCall.call(master.url(), "CLIENT", "KILL", "TYPE", "normal");
            assertThat(lost)
                    .failsWithin(LONG)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(ReplicationException.class);
        }
    }

    /** With the one before, whose time may have come. */
    private static QueueCounts with800(int delayed, int ready) {
        return new QueueCounts(800 + delayed, ready, 0, 0, 0, false);
    }

    /** A node that does not run jobs yet. */
    private TestNode submitter(int shards, int replicas, Duration timeout) {
        return new TestNode(
                TestNode.config(master.url()),
                queue,
                TestNode.patient(TestSettings.replicated(shards, new Replication(replicas, timeout))),
                LONG,
                Extensions.NONE,
                TestSettings.registered(job));
    }

    private static DelayJobRequest<Note> request(String id) {
        return DelayJobRequest.of(NoteJob.class, new Note(id, 1)).withId(id);
    }

    private static SubmitResult.Outcome submit(TestNode node, String id) {
        return node.producer().submit(request(id), Duration.ofSeconds(1)).outcome();
    }

    private static Throwable asyncFailure(TestNode node, String id) {
        return node.producer()
                .submitAsync(request(id), Duration.ofSeconds(1))
                .handle((done, failure) -> failure)
                .join();
    }
}

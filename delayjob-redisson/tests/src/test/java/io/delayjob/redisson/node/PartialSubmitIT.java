package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobSubmissionException;
import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RBucket;
import org.redisson.api.RedissonClient;

/** Many jobs in one submit, of which some are refused. */
@RealRedis
class PartialSubmitIT {

    private static final Duration HOUR = Duration.ofHours(1);

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();
    private final String broken = TestSettings.queue();
    private final RedissonClient redisson = TestNode.client(url);

    @AfterEach
    void close() {
        redisson.shutdown();
    }

    @Test
    void saysOfEachJobWhatBecameOfIt() {
        RBucket<String> wrong = redisson.getBucket("delayjob:{" + broken + ":0}:jobs");
        wrong.set("no hash");
        List<DelayJobRequest<Note>> requests =
                List.of(request("new", queue), request("refused", broken), request("there", queue));
        try (TestNode node = TestNode.start(url, queue, new NoteJob())) {
            node.producer().submit(request("there", queue), HOUR);
            JobSubmissionException failure = catchThrowableOfType(
                    JobSubmissionException.class, () -> node.producer().submitAll(requests, HOUR));
            assertThat(failure.jobIds()).containsExactly("refused");
            assertThat(failure.outcome()).isEqualTo(JobSubmissionException.Outcome.NOT_STORED);
            assertThat(failure.results())
                    .containsExactly(
                            new SubmitResult(queue, "new", Outcome.STORED),
                            new SubmitResult(broken, "refused", Outcome.UNCONFIRMED),
                            new SubmitResult(queue, "there", Outcome.EXISTS));
            wrong.delete();
            Instant later = Instant.now().plus(HOUR);
            assertThat(node.producer().submitAllAt(requests, request -> later))
                    .extracting(SubmitResult::outcome)
                    .containsExactly(Outcome.EXISTS, Outcome.STORED, Outcome.EXISTS);
            await().untilAsserted(() -> assertThat(node.admin().queues()).contains(queue, broken));
            await().untilAsserted(() -> assertThat(node.admin().unconsumedQueues())
                    .containsKey(broken)
                    .doesNotContainKey(queue));
        }
    }

    private static DelayJobRequest<Note> request(String id, String queue) {
        return DelayJobRequest.of(NoteJob.class, new Note("many", 1)).withId(id).withQueue(queue);
    }
}

package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.settings.ConsumedQueue;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs with long params on a connection that is slow. */
@Tag("proof")
@RealRedis
class SlowRedisIT {

    private static final int LONGEST = 255 * 1024;

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();
    private final NoteJob job = new NoteJob();

    @Test
    void runsManyJobsThatDoNotFitIntoOneAnswer() throws Exception {
        runAll(250, LONGEST, 4_000_000);
    }

    @Test
    void runsJobsOfAClaimWhoseAnswerIsTooLongForItsConnection() throws Exception {
        runAll(8, 60_000, 120_000);
    }

    private void runAll(int count, int length, long bytesPerSecond) throws Exception {
        List<DelayJobRequest<Note>> requests = IntStream.range(0, count)
                .mapToObj(i -> DelayJobRequest.of(NoteJob.class, new Note("x".repeat(length), i)))
                .toList();
        try (TestNode producer = node(url);
                SlowProxy slow = new SlowProxy(url, bytesPerSecond)) {
            producer.producer().submitDelayJobs(requests, Duration.ZERO);
            try (TestNode node = node(slow.url())) {
                node.engine.start();
                await().atMost(Duration.ofMinutes(2)).until(() -> job.seen().size() >= count);
                await().atMost(TestSettings.SOON)
                        .until(() -> producer.admin().counts(queue).reserved() == 0);
            }
        }
        assertThat(job.seen()).hasSize(count).allMatch(seen -> seen.attempt() == 1);
    }

    /** With a lease in which the answers fit. */
    private TestNode node(String address) {
        ConsumedQueue settings = new ConsumedQueue("any", null, 250, Duration.ofSeconds(30), null);
        return new TestNode(
                address, queue, TestSettings.defaults().with(settings), Extensions.NONE, TestSettings.registered(job));
    }
}

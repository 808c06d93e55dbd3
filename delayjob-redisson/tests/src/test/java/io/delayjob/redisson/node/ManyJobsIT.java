package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.QueueCounts;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.redisson.api.RedissonClient;

/** A hundred thousand jobs within a second, and a million that wait. */
@Tag("proof")
@RealRedis
class ManyJobsIT {

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 1", "2, 3"})
    void runsAHundredThousandJobsOfOneSecondExactlyOnceAndNoneEarly(int nodes, int shards) {
        int count = 100_000;
        NoteJob job = new NoteJob();
        List<TestNode> fleet = Stream.generate(
                        () -> TestNode.start(url, queue, TestNode.patient(TestSettings.shards(shards)), job))
                .limit(nodes)
                .toList();
        try {
            TestNode first = fleet.get(0);
            List<DelayJobRequest<Note>> requests = IntStream.range(0, count)
                    .mapToObj(i -> DelayJobRequest.of(NoteJob.class, new Note("burst", i)))
                    .toList();
            long begin = System.currentTimeMillis();
            List<String> ids = first.producer()
                    .submitDelayJobs(requests, request -> Duration.ofMillis(4000 + number(request) % 1000));
            assertThat(new HashSet<>(ids)).hasSize(count);
            await().atMost(Duration.ofMinutes(3)).until(() -> job.seen().size() >= count);
            assertThat(job.seen()).allMatch(seen -> seen.latenessMillis() >= 0);
            assertThat(job.seen()).allMatch(seen -> seen.dueAt().toEpochMilli() >= begin + 4000);
            assertThat(job.seen()).hasSize(count);
            assertThat(new HashSet<>(job.ids())).isEqualTo(new HashSet<>(ids));
            await().until(() -> first.admin().counts(queue).equals(new QueueCounts(0, 0, 0, 0, 0, false)));
        } finally {
            fleet.forEach(TestNode::close);
        }
    }

    private static int number(DelayJobRequest<?> request) {
        return request.param() instanceof Note note ? note.number() : 0;
    }

    @Test
    void runsNearJobsAsBeforeWhileAMillionFarOnesWait() {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(url, queue, job)) {
            for (int chunk = 0; chunk < 50; chunk++) {
                List<Note> far = IntStream.range(0, 20_000)
                        .mapToObj(i -> new Note("far", i))
                        .toList();
                node.producer().submitDelayJobs(NoteJob.class, far, 30, TimeUnit.DAYS);
            }
            assertThat(node.admin().counts(queue).delayed()).isEqualTo(1_000_000);
            for (int i = 0; i < 20; i++) {
                node.producer()
                        .submitDelayJob(NoteJob.class, new Note("near", i), 300 + 20L * i, TimeUnit.MILLISECONDS);
            }
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == 20);
            assertThat(job.seen()).allMatch(seen -> seen.latenessMillis() >= 0);
        } finally {
            deleteQueue();
        }
    }

    private void deleteQueue() {
        RedissonClient redisson = TestNode.client(url);
        redisson.getKeys().unlinkByPattern("delayjob:{" + queue + ":*");
        redisson.shutdown();
    }
}

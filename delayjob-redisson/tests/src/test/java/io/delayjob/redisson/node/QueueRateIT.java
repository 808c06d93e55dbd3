package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobEvent;
import io.delayjob.Limits;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rate of a queue with several nodes and shards: 100 a second with a burst of 10. How near the rate comes to it is printed. */
@RealRedis
@Tag("proof")
class QueueRateIT {

    private static final int PERMITS = 100;
    private static final int BURST = 10;
    private static final int SHARDS = 4;
    private static final int SECONDS = 30;
    private static final int JOBS = PERMITS * SECONDS;

    /** More than begin in that time, so that no shard runs out of jobs before the others. */
    private static final int SUBMITTED = JOBS + JOBS / 2;

    /** Jobs with one key are all in one shard, which gets the shares of the others. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void neverMoreJobsBeginThanTheRateAllows(boolean inOneShard) {
        String queue = TestSettings.queue();
        String url = RedisServer.shared().url();
        EventLog log = new EventLog();
        NoteJob job = new NoteJob(execution -> {});
        List<TestNode> fleet = IntStream.range(0, 3)
                .mapToObj(n -> TestNode.start(
                        url,
                        queue,
                        TestNode.patient(TestSettings.shards(SHARDS)),
                        log.extensions(),
                        TestSettings.registered(job)))
                .toList();
        try {
            TestNode first = fleet.get(0);
            first.admin()
                    .setLimits(queue, Limits.NONE.withRate(new Limits.Rate(PERMITS, Duration.ofSeconds(1), BURST)));
            first.producer()
                    .submitDelayJobs(
                            IntStream.range(0, SUBMITTED)
                                    .mapToObj(n -> DelayJobRequest.of(NoteJob.class, new Note("n", n)))
                                    .map(request -> inOneShard ? request.withKey("k") : request)
                                    .toList(),
                            Duration.ZERO);
            List<Long> begun = log.await(JobEvent.Claimed.class, JOBS + PERMITS).stream()
                    .map(claimed -> claimed.claimedAt().toEpochMilli())
                    .sorted()
                    .toList();

            // Each shard may begin one at once besides the burst.
            int most = PERMITS + BURST + SHARDS;
            for (int i = most; i < begun.size(); i++) {
                assertThat(begun.get(i) - begun.get(i - most))
                        .as("ms for %d jobs, from %d", most + 1, i - most)
                        .isGreaterThanOrEqualTo(1000);
            }
            long end = begun.get(0) + SECONDS * 1000L;
            long counted = begun.stream().filter(at -> at < end).count();
            // A machine that stands still for some seconds begins so many fewer.
            assertThat(counted).as("jobs in %d s, of %d", SECONDS, JOBS).isGreaterThan(JOBS * 3 / 4);
            System.out.printf(
                    "%d jobs in %d s, of %d that the rate allows%s%n",
                    counted, SECONDS, JOBS, inOneShard ? ", all in one shard" : "");
        } finally {
            fleet.forEach(TestNode::close);
        }
    }
}

package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.Schedule;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.telemetry.Vitals;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Recurring jobs of several nodes on a real Redis. */
@RealRedis
class RecurringIT {

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();
    private final Queue<Instant> ran = new ConcurrentLinkedQueue<>();

    private final Schedule eachSecond = Schedule.every(
                    "each-second-" + queue, NoteJob.class.getName(), Duration.ofSeconds(1))
            .withQueue(queue)
            .withParam(new Note("tick", 1))
            .withOverlap(Schedule.Overlap.ALLOW)
            .withCatchUp(Schedule.CatchUp.ALL);

    private NoteJob job() {
        return new NoteJob(execution -> ran.add(execution.scheduledFor().orElseThrow()));
    }

    @Test
    void eachInstantRunsOnceWhileNodesDieAndStop() {
        TestNode doomed = TestNode.start(url, queue, job());
        awaitHolder(doomed);
        try (TestNode heir = TestNode.start(url, queue, job());
                TestNode last = TestNode.start(url, queue, job())) {
            heir.engine.schedules().put(eachSecond);
            awaitRuns(3);
            doomed.kill();
            awaitRuns(ran.size() + 3);
            heir.engine.close();
            awaitRuns(ran.size() + 3);
            last.engine.schedules().pause(eachSecond.name());
            ScheduleSnapshot end =
                    last.engine.schedules().find(eachSecond.name()).orElseThrow();
            await().atMost(TestSettings.SOON)
                    .untilAsserted(() -> assertThat(ran).containsExactlyInAnyOrderElementsOf(each(end)));
            assertThat(end.skipped()).isZero();
            last.engine.schedules().remove(eachSecond.name());
        }
    }

    /** The instants up to the last: as many as fired, a second apart. */
    private static List<Instant> each(ScheduleSnapshot schedule) {
        return LongStream.range(0, schedule.fired())
                .mapToObj(n -> schedule.lastAt().minusSeconds(n))
                .toList();
    }

    private void awaitRuns(int count) {
        await().atMost(TestSettings.SOON).until(() -> ran.size() >= count);
    }

    private void awaitHolder(TestNode node) {
        await().atMost(TestSettings.SOON)
                .until(() -> node.engine.vitals(queue).map(Vitals::held).orElse(0) == 1);
    }

    @Test
    void aScheduleFiresOnTheNodeThatRunsItsQueue() {
        try (TestNode elsewhere = TestNode.start(url, TestSettings.queue(), job());
                TestNode node = TestNode.start(url, queue, job())) {
            elsewhere.engine.schedules().put(eachSecond);
            awaitRuns(1);
            assertThat(node.engine.schedules().list())
                    .extracting(one -> one.schedule().name())
                    .contains(eachSecond.name());
            assertThat(node.engine.schedules().remove(eachSecond.name())).isTrue();
        }
    }
}

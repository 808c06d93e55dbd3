package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobSchedules;
import io.delayjob.Schedule;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.telemetry.Vitals;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
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

    @Test
    void anInstantRunsOnceTheOccurrenceBeforeIsOver() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch first = new CountDownLatch(1);
        NoteJob slow = new NoteJob(execution -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            ran.add(execution.scheduledFor().orElseThrow());
            first.await();
            running.decrementAndGet();
        });
        try (TestNode node = TestNode.start(url, queue, slow);
                TestNode other = TestNode.start(url, queue, slow)) {
            DelayJobSchedules schedules = node.engine.schedules();
            schedules.put(eachSecond.withOverlap(Schedule.Overlap.BUFFER_ALL));
            awaitRuns(1);
            Instant begun = ran.element();
            await().atMost(TestSettings.SOON).until(() -> find(other).waits());
            assertThat(find(other).nextAt()).isEqualTo(begun.plusSeconds(1));
            assertThat(ran).hasSize(1);
            first.countDown();
            awaitRuns(3);
            schedules.pause(eachSecond.name());
            await().atMost(TestSettings.SOON)
                    .until(() -> running.get() == 0 && ran.size() == find(node).fired());
            assertThat(ran)
                    .containsExactlyElementsOf(
                            each(find(node)).stream().sorted().toList());
            assertThat(most).hasValue(1);
            schedules.remove(eachSecond.name());
        }
    }

    private ScheduleSnapshot find(TestNode node) {
        return node.engine.schedules().find(eachSecond.name()).orElseThrow();
    }

    @Test
    void anInstantInterruptsTheOccurrenceBefore() {
        Queue<Instant> interrupted = new ConcurrentLinkedQueue<>();
        NoteJob endless = new NoteJob(execution -> {
            Instant instant = execution.scheduledFor().orElseThrow();
            ran.add(instant);
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.add(instant);
                throw e;
            }
        });
        try (TestNode node = TestNode.start(url, queue, endless);
                TestNode other = TestNode.start(url, queue, endless)) {
            DelayJobSchedules schedules = other.engine.schedules();
            schedules.put(eachSecond.withOverlap(Schedule.Overlap.CANCEL_OTHER));
            await().atMost(TestSettings.SOON).until(() -> interrupted.size() >= 2);
            schedules.pause(eachSecond.name());
            await().atMost(TestSettings.SOON)
                    .until(() -> ran.size() == find(node).fired());
            assertThat(ran).doesNotHaveDuplicates();
            schedules.remove(eachSecond.name());
        }
    }

    @Test
    void aMoveThatAFullRedisRefusesLeavesTheScheduleAsItWas() throws Exception {
        Schedule moved = eachSecond.withQueue(TestSettings.queue());
        try (OwnRedis full = OwnRedis.start();
                TestNode node = TestNode.start(full.url(), queue, job())) {
            DelayJobSchedules schedules = node.engine.schedules();
            schedules.put(eachSecond);
            awaitRuns(1);
            schedules.pause(eachSecond.name());
            ScheduleSnapshot before = find(node);
            RedisCall.call(full.url(), "CONFIG", "SET", "maxmemory", "1");
            assertThatThrownBy(() -> schedules.put(moved)).hasMessageContaining("maxmemory");
            assertThat(find(node)).isEqualTo(before);
            RedisCall.call(full.url(), "CONFIG", "SET", "maxmemory", "0");
            ScheduleSnapshot after = schedules.put(moved);
            assertThat(after.paused()).isTrue();
            assertThat(after.lastAt()).isEqualTo(before.lastAt());
        }
    }
}

package io.delayjob.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobJournal;
import io.delayjob.DelayJobSchedules;
import io.delayjob.JournalScope;
import io.delayjob.Schedule;
import io.delayjob.ScheduleInstants;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.embedded.RedisCall;
import io.delayjob.reliability.harness.Account;
import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.LostWrites;
import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.reliability.harness.Submission;
import io.delayjob.reliability.node.Journal;
import io.delayjob.reliability.node.Work;
import io.delayjob.reliability.node.WorkJob;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Schedules fire each second, while nodes are killed, and Redis is emptied at half of the time: for 40 s, or as many as the system property
 * {@code reliability.soak} says. Each instant is stored as one job, which runs as any other.
 */
@Tag("proof")
@Faults
class JournalSchedulesIT {

    private static final Duration BOUND = Duration.ofMinutes(4);
    private static final Duration SOAK = Duration.ofSeconds(Long.getLong("reliability.soak", 40));
    private static final int SCHEDULES = 6;

    @Test
    void eachInstantFiresOnceWhileNodesDieAndRedisIsEmptied(Stage stage) throws IOException {
        OwnRedis redis = stage.redis();
        stage.journal("delayjob.journal.restore-automatically=true", "delayjob.shards=3");
        List<NodeProcess> nodes = new ArrayList<>(stage.nodes(3, redis.url()));
        Map<Schedule, Instant> first = new HashMap<>();
        IntStream.range(0, SCHEDULES)
                .mapToObj(JournalSchedulesIT::eachSecond)
                .forEach(one -> first.put(
                        one, Objects.requireNonNull(schedules(stage).put(one).nextAt())));
        nodes.forEach(node -> node.awaitLines(Journal.Kind.COMPLETED, 10, BOUND));

        int killed = killNodes(stage, redis, nodes, SOAK.dividedBy(2));
        long lostFrom = writtenUpTo(stage);
        RedisCall.call(redis.url(), "FLUSHALL");
        stage.redisLost(LostWrites.since(lostFrom));
        killed += killNodes(stage, redis, nodes, SOAK.dividedBy(2));
        System.out.println(killed + " nodes killed");

        first.keySet()
                .forEach(one -> await().atMost(BOUND)
                        .ignoreExceptions()
                        .until(() -> schedules(stage).pause(one.name())));
        first.forEach((one, from) -> stage.occurrences(occurrences(stage, one, from)));
        Account account = stage.settle(BOUND);
        assertThat(account.lostByRedis()).isZero();
        assertThat(jobs(stage))
                .as("jobs that are of no instant, or of one that has another")
                .hasSize(account.submitted());
        assertThat(stage.bean(DelayJobJournal.class).diff(JournalScope.ALL).isEmpty())
                .isTrue();
    }

    /** One of those whose occurrences fail at first, or take their time. */
    private static Schedule eachSecond(int number) {
        return Schedule.every("each-second-" + number, WorkJob.class.getName(), Duration.ofSeconds(1))
                .withParam(new Work(100L * number, number % 2))
                .withOverlap(Schedule.Overlap.ALLOW)
                .withCatchUp(Schedule.CatchUp.ALL);
    }

    private static DelayJobSchedules schedules(Stage stage) {
        return stage.bean(DelayJobSchedules.class);
    }

    /** Kills one after the other, among them those that fire, and starts another in its place. Answers how many. */
    private static int killNodes(Stage stage, OwnRedis redis, List<NodeProcess> nodes, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        int killed = 0;
        while (System.nanoTime() - end < 0) {
            int place = stage.random().nextInt(nodes.size());
            stage.kill(nodes.get(place));
            nodes.set(place, stage.launch(redis.url()));
            Stage.pass(Duration.ofMillis(1000 + stage.random().nextInt(4000)));
            nodes.get(place).awaitReady();
            killed++;
        }
        return killed;
    }

    /** Time, in ms by Redis' clock, up to which the journal knows what happened in all shards with schedules. */
    private static long writtenUpTo(Stage stage) {
        return Objects.requireNonNull(stage.jdbc()
                .queryForObject(
                        "SELECT MIN(entry_ms) FROM delayjob_shard s WHERE EXISTS (SELECT 1 FROM"
                                + " delayjob_schedule d WHERE d.queue = s.queue AND d.shard = s.shard)",
                        Long.class));
    }

    /** The jobs of all instants of a schedule that were decided: each is known to the journal, and none was skipped. */
    private static List<Submission> occurrences(Stage stage, Schedule schedule, Instant from) {
        ScheduleSnapshot end = schedules(stage).find(schedule.name()).orElseThrow();
        ScheduleInstants instants = ScheduleInstants.of(schedule);
        List<Instant> expected = Stream.iterate(
                        from,
                        instant -> !instant.isAfter(end.lastAt()),
                        instant -> Objects.requireNonNull(instants.next(instant)))
                .toList();
        assertThat(end.skipped()).as("skipped of %s", schedule.name()).isZero();
        assertThat(end.fired()).as("fired of %s", schedule.name()).isEqualTo(expected.size());
        System.out.println(schedule.name() + ": " + expected.size() + " instants from " + from + " to " + end.lastAt());
        Map<String, String> ids = new HashMap<>();
        await().atMost(BOUND).untilAsserted(() -> {
            jobs(stage).forEach(id -> ids.put(id.replaceFirst("~\\d+$", ""), id));
            assertThat(ids.keySet())
                    .containsAll(expected.stream()
                            .map(instant -> schedule.name() + "@" + instant)
                            .toList());
        });
        return expected.stream()
                .map(instant -> new Submission(
                        Objects.requireNonNull(ids.get(schedule.name() + "@" + instant)),
                        instant.toEpochMilli(),
                        instant.toEpochMilli(),
                        true))
                .toList();
    }

    /** The ids of all jobs that the journal knows, one for each use of it. */
    private static List<String> jobs(Stage stage) {
        return stage.jdbc().queryForList("SELECT id FROM delayjob_job", String.class);
    }
}

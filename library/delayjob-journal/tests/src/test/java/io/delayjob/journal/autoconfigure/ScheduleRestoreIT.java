package io.delayjob.journal.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobJournal;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobSchedules;
import io.delayjob.JobExecution;
import io.delayjob.JobRestore;
import io.delayjob.JournalScope;
import io.delayjob.Schedule;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.Variants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.support.GenericApplicationContext;

/** Redis is emptied or put back, and the journal knows the schedules. */
@Execution(ExecutionMode.CONCURRENT)
@Tag(Variants.TAG)
@ParameterizedClass
@MethodSource("databases")
class ScheduleRestoreIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Set<String> FIRING = Set.of("tick-0", "tick-1", "tick-2", "tick-3", "tick-4");

    @Parameter
    @SuppressWarnings("NullAway.Init")
    TestDatabase kind;

    private final String queue = "q-" + UUID.randomUUID();
    private final Ticks ticks = new Ticks();

    static Stream<TestDatabase> databases() {
        return Variants.of(TestDatabase.H2_MEMORY, List.of(TestDatabase.POSTGRESQL));
    }

    /** The listener of the occurrences, and which instants it has run. */
    static class Ticks {

        private final Map<String, Queue<Instant>> ran = new ConcurrentHashMap<>();

        /** Runs an occurrence. */
        @DelayJobListener(topic = "tick")
        public void tick(JobExecution<Void> execution) {
            String schedule = execution.headers().get(DelayJobSchedules.SCHEDULE_HEADER);
            of(String.valueOf(schedule)).add(execution.scheduledFor().orElseThrow());
        }

        Queue<Instant> of(String schedule) {
            return ran.computeIfAbsent(schedule, name -> new ConcurrentLinkedQueue<>());
        }

        void awaitMore(int more) {
            Map<String, Integer> before =
                    FIRING.stream().collect(Collectors.toMap(name -> name, name -> of(name).size()));
            await().atMost(PATIENCE)
                    .until(() -> before.entrySet().stream()
                            .allMatch(one -> of(one.getKey()).size() >= one.getValue() + more));
        }

        /** Waits until every instant has run, from the first to the last. */
        void awaitAll() {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> FIRING.forEach(name -> assertThat(Set.copyOf(of(name)))
                            .as(name)
                            .hasSize((int) Duration.between(Collections.min(of(name)), Collections.max(of(name)))
                                            .toSeconds()
                                    + 1)));
        }

        Set<String> twice() {
            return FIRING.stream()
                    .flatMap(name -> of(name).stream()
                            .filter(instant -> Collections.frequency(List.copyOf(of(name)), instant) > 1)
                            .map(instant -> name + "@" + instant))
                    .collect(Collectors.toSet());
        }
    }

    private JournalNode open(OwnRedis redis, String database, String... properties) {
        SpringApplication application = JournalNode.application(new Runs(), null);
        application.addInitializers(
                context -> ((GenericApplicationContext) context).registerBean(Ticks.class, () -> ticks));
        return JournalNode.run(
                application,
                redis.url(),
                database,
                queue,
                Stream.concat(Stream.of("delayjob.queues." + queue + ".shards=2"), Stream.of(properties))
                        .toArray(String[]::new));
    }

    private static DelayJobSchedules schedules(JournalNode node) {
        return node.context().getBean(DelayJobSchedules.class);
    }

    private static Schedule eachSecond(String name) {
        return Schedule.every(name, "tick", SECOND)
                .withOverlap(Schedule.Overlap.ALLOW)
                .withCatchUp(Schedule.CatchUp.ALL);
    }

    private static ScheduleSnapshot found(JournalNode node, String name) {
        return schedules(node).find(name).orElseThrow();
    }

    /** Puts those that fire, and one that is paused. */
    private static void put(JournalNode node) {
        FIRING.forEach(name -> schedules(node).put(eachSecond(name)));
        schedules(node).put(Schedule.cron("paused", "tick", "0 0 3 * * *").withZone("Europe/Berlin"));
        schedules(node).pause("paused");
    }

    /** Ids of occurrences without what brings them into their shard, of which the journal knows that they have ended. */
    private static Set<String> ended(JournalNode node) {
        return node.jdbc().queryForList("SELECT id FROM delayjob_job WHERE state = 'COMPLETED'", String.class).stream()
                .map(id -> id.replaceFirst("~\\d+$", ""))
                .collect(Collectors.toSet());
    }

    private static void awaitWritten(JournalNode node, int schedules) {
        await().atMost(PATIENCE)
                .until(() -> node.jdbc()
                                .queryForList(
                                        "SELECT name FROM delayjob_schedule WHERE removed_at IS NULL", String.class)
                                .size()
                        == schedules);
        await().atMost(PATIENCE).until(() -> !ended(node).isEmpty());
    }

    @Test
    void schedulesOfAnEmptiedRedisGoOnAsTheyWere() throws IOException {
        String database = kind.freshUrl();
        try (OwnRedis redis = OwnRedis.start();
                JournalNode node = open(redis, database, "delayjob.journal.restore-automatically=true");
                JournalNode other = open(redis, database, "delayjob.journal.restore-automatically=true")) {
            put(node);
            schedules(node).put(eachSecond("removed"));
            schedules(node).remove("removed");
            ticks.awaitMore(3);
            awaitWritten(node, FIRING.size() + 1);

            Set<String> known = ended(node);
            ScheduleSnapshot paused = found(node, "paused");
            RedisCall.call(redis.url(), "FLUSHALL");

            ticks.awaitMore(5);
            assertThat(found(other, "paused")).isEqualTo(paused);
            assertThat(schedules(other).list())
                    .extracting(one -> one.schedule().name())
                    .contains("paused")
                    .containsAll(FIRING)
                    .hasSize(FIRING.size() + 1);
            FIRING.forEach(name -> schedules(node).pause(name));
            ticks.awaitAll();
            assertThat(ticks.twice()).doesNotContainAnyElementsOf(known);
            FIRING.forEach(name -> assertThat(found(node, name).fired())
                    .as("counts go on")
                    .isEqualTo(Set.copyOf(ticks.of(name)).size()));
            assertThat(schedules(node).remove("paused")).isTrue();
            awaitWritten(node, FIRING.size());
        }
    }

    @Test
    void noInstantFiresAgainInARedisThatIsPutBackToAnOlderState() throws IOException {
        try (OwnRedis redis = OwnRedis.start("--save", "");
                JournalNode node = open(redis, kind.freshUrl(), "delayjob.journal.restore-automatically=true")) {
            put(node);
            schedules(node).put(eachSecond("removed"));
            schedules(node).resume("paused");
            ticks.awaitMore(2);
            awaitWritten(node, FIRING.size() + 2);
            Path dump = redis.folder().resolve("dump.rdb");
            RedisCall.call(redis.url(), "SAVE");
            Path snapshot = Files.copy(dump, redis.folder().resolve("snapshot.rdb"));
            long saved = System.nanoTime();
            schedules(node).remove("removed");
            schedules(node).pause("paused");
            schedules(node).put(eachSecond("new"));
            ticks.awaitMore(3);
            await().atMost(PATIENCE).until(() -> System.nanoTime() - saved > 2_000_000 * Flow.COMPARED_MILLIS);
            awaitWritten(node, FIRING.size() + 2);

            Set<String> known = ended(node);
            redis.kill();
            Files.copy(snapshot, dump, StandardCopyOption.REPLACE_EXISTING);
            redis.restart();

            ticks.awaitMore(5);
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> schedules(node).find("new").isPresent());
            assertThat(schedules(node).find("removed")).isEmpty();
            assertThat(found(node, "paused").paused()).isTrue();
            FIRING.forEach(name -> schedules(node).pause(name));
            ticks.awaitAll();
            assertThat(ticks.twice()).doesNotContainAnyElementsOf(known);
        }
    }

    /** More than a minute passes until they are restored. */
    @Test
    @Tag("proof")
    void instantsThatWereMissedUntilTheRestoreAreMadeUpForAsTheScheduleSays() throws IOException {
        try (OwnRedis redis = OwnRedis.start();
                JournalNode node = open(redis, kind.freshUrl())) {
            List<Schedule> all = IntStream.range(0, Schedule.CatchUp.values().length)
                    .mapToObj(n -> eachSecond("tick-" + n).withCatchUp(Schedule.CatchUp.values()[n]))
                    .toList();
            all.forEach(schedules(node)::put);
            await().atMost(PATIENCE)
                    .until(() ->
                            all.stream().allMatch(one -> !ticks.of(one.name()).isEmpty()));
            awaitWritten(node, all.size());
            RedisCall.call(redis.url(), "FLUSHALL");
            Instant emptied = Instant.now();
            await().atMost(PATIENCE)
                    .until(() ->
                            Instant.now().isAfter(emptied.plus(Schedule.IN_TIME).plusSeconds(10)));

            node.context().getBean(DelayJobJournal.class).restore(JobRestore.of(JournalScope.ALL));
            Instant restored = Instant.now();
            await().atMost(PATIENCE)
                    .until(() -> all.stream()
                            .allMatch(one ->
                                    ticks.of(one.name()).stream().anyMatch(instant -> instant.isAfter(restored))));

            // The first seconds may have fired before Redis was emptied, and of the last some are in time.
            for (Schedule one : all) {
                long made = ticks.of(one.name()).stream()
                        .filter(instant ->
                                instant.isAfter(emptied.plusSeconds(1)) && instant.isBefore(emptied.plusSeconds(9)))
                        .distinct()
                        .count();
                assertThat(made)
                        .as("%s of the instants that were missed", one.catchUp())
                        .isEqualTo(one.catchUp() == Schedule.CatchUp.ALL ? 8 : 0);
            }
            assertThat(found(node, all.get(0).name()).skipped()).as("by LAST").isPositive();
        }
    }
}

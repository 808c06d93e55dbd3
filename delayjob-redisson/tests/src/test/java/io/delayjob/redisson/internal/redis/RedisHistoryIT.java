package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.telemetry.QueueTelemetry;
import io.delayjob.redisson.history.Counts;
import io.delayjob.redisson.history.HistoryStore;
import io.delayjob.redisson.history.HistoryStore.Slot;
import io.delayjob.redisson.history.Lateness;
import io.delayjob.redisson.history.Span;
import io.delayjob.redisson.internal.history.HistoryCounter;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.redisson.Redisson;
import org.redisson.api.RMap;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** The history on a Redis of its own, by a clock that the test sets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisHistoryIT {

    private static final long START = 1_700_000_400_000L;
    private static final String HISTORY = "delayjob:{history}";
    private static final String CLOCK = """
            local function now()
              return tonumber(redis.call('GET', 'clock')), 0
            end
            """;
    private static final Pattern CALLS = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+)");
    private static final Counts ONE = Counts.of(1, 0, 0, new long[] {1});

    private final OwnRedis redis = OwnRedis.start();
    private RedissonClient redisson;
    private HistoryStore history;

    @BeforeAll
    void connect() {
        redisson = client();
        history = store(redisson);
    }

    private RedissonClient client() {
        Config config = new Config();
        config.useSingleServer().setAddress(redis.url());
        return PatientScripts.of(Redisson.create(config));
    }

    private static HistoryStore store(RedissonClient client) {
        ScriptSource source =
                new ScriptSource(name -> name.equals("now") ? CLOCK : ScriptSource.resource("include/" + name));
        return new RedisBackend(client, "delayjob", Runnable::run, source).history();
    }

    @BeforeEach
    void empty() {
        redisson.getKeys().flushdb();
        setClock(START);
    }

    @AfterAll
    void close() {
        redisson.shutdown();
        redis.close();
    }

    private void setClock(long millis) {
        redisson.getBucket("clock", StringCodec.INSTANCE).set(Long.toString(millis));
    }

    private RMap<String, String> stored() {
        return redisson.getMap(HISTORY, StringCodec.INSTANCE);
    }

    private Counts sum(String queue, Span span) {
        return history.read(List.of(queue), Map.of()).join().slots().stream()
                .filter(slot -> slot.span() == span)
                .map(Slot::counts)
                .reduce(Counts.NONE, Counts::plus);
    }

    @Test
    void whatTwoNodesCountAddsUpInEverySpan() {
        RedissonClient second = client();
        try {
            history.add(Map.of("orders", Counts.of(3, 1, 0, new long[] {2, 2}))).join();
            store(second)
                    .add(Map.of("orders", Counts.of(4, 0, 2, new long[] {0, 1, 7}), "mail", ONE))
                    .join();
        } finally {
            second.shutdown();
        }

        Counts both = Counts.of(7, 1, 2, new long[] {2, 3, 7});
        assertThat(history.read(List.of("orders", "mail", "unknown"), Map.of()).join())
                .isEqualTo(new HistoryStore.Page(
                        START,
                        List.of(
                                new Slot(Span.MINUTES, "orders", START / 5000, both),
                                new Slot(Span.HOURS, "orders", START / 60_000, both),
                                new Slot(Span.DAY, "orders", START / 600_000, both),
                                new Slot(Span.MINUTES, "mail", START / 5000, ONE),
                                new Slot(Span.HOURS, "mail", START / 60_000, ONE),
                                new Slot(Span.DAY, "mail", START / 600_000, ONE))));
    }

    @Test
    void theLatestBacklogOfASlotStands() {
        history.add(Map.of("q", Counts.ready(9))).join();
        history.add(Map.of("q", ONE)).join();
        history.add(Map.of("q", Counts.ready(4))).join();

        assertThat(sum("q", Span.HOURS)).isEqualTo(ONE.plus(Counts.ready(4)));
    }

    @Test
    void onlyTheSlotsFromTheWishedOneOnAreRead() {
        for (int minute = 0; minute < 3; minute++) {
            setClock(START + 60_000L * minute);
            history.add(Map.of("q", ONE)).join();
        }

        Map<Span, Long> from = Map.of(Span.HOURS, START / 60_000 + 1, Span.DAY, START / 600_000 + 1);
        assertThat(history.read(List.of("q"), from).join().slots().stream()
                        .filter(slot -> slot.span() == Span.HOURS)
                        .map(Slot::number))
                .containsExactly(START / 60_000 + 1, START / 60_000 + 2);
    }

    @Test
    void aClockThatWasSetBackHidesNothing() {
        history.add(Map.of("q", ONE)).join();

        assertThat(history.read(List.of("q"), Map.of(Span.HOURS, START / 60_000 + 100))
                        .join()
                        .slots())
                .anyMatch(slot -> slot.span() == Span.HOURS);
    }

    @Test
    void aNewRoundTakesThePlaceOfTheOldOne() {
        for (int minute = 0; minute < 500; minute++) {
            setClock(START + 60_000L * minute);
            history.add(Map.of("q", ONE)).join();
        }

        assertThat(stored())
                .hasSizeLessThanOrEqualTo(
                        Arrays.stream(Span.values()).mapToInt(Span::slots).sum());
        assertThat(sum("q", Span.HOURS).completed()).isEqualTo(Span.HOURS.slots());
        assertThat(sum("q", Span.DAY).completed()).isEqualTo(500);
    }

    @Test
    void furtherQueuesAreCountedOnceOthersAreSilentForADay() {
        history.add(many(0)).join();
        assertThat(stored()).hasSize(3 * HistoryStore.MOST_QUEUES);

        history.add(Map.of("late", ONE)).join();
        assertThat(sum("late", Span.DAY)).isEqualTo(Counts.NONE);

        setClock(START + Span.DAY.length().toMillis());
        history.add(Map.of("late", ONE, "q-7", ONE)).join();
        assertThat(sum("late", Span.DAY)).isEqualTo(ONE);
        for (int call = 0; call < HistoryStore.MOST_QUEUES; call++) {
            history.add(Map.of("late", ONE)).join();
        }
        assertThat(stored().keySet()).allMatch(field -> field.endsWith(":late") || field.endsWith(":q-7"));
        assertThat(stored()).hasSize(6);
    }

    private static Map<String, Counts> many(int first) {
        Map<String, Counts> counts = new LinkedHashMap<>();
        for (int i = first; i < first + HistoryStore.MOST_QUEUES; i++) {
            counts.put("q-" + i, ONE);
        }
        return counts;
    }

    @Test
    void endsByItselfOnceNobodyCounts() {
        history.add(Map.of("q", ONE)).join();
        long day = Span.DAY.length().toMillis();
        assertThat(redisson.getKeys().remainTimeToLive(HISTORY))
                .isBetween(day, day + Duration.ofHours(1).toMillis());
        assertThat(redisson.getKeys().remainTimeToLive(HISTORY + ":counted"))
                .isBetween(day, day + Duration.ofHours(1).toMillis());
    }

    @Test
    void garbageIsReplacedAndDoesNotHideTheRest() {
        history.add(Map.of("q", ONE)).join();
        stored().put("60:" + START / 60_000 % 240 + ":q", "garbage|slot=");
        stored().put("600:" + START / 600_000 % 144 + ":q", "slot=" + START / 600_000 + "|completed=x|oh=7|failed=2");

        assertThat(sum("q", Span.MINUTES)).isEqualTo(ONE);
        assertThat(sum("q", Span.HOURS)).isEqualTo(Counts.NONE);
        history.add(Map.of("q", ONE)).join();
        assertThat(sum("q", Span.HOURS)).isEqualTo(ONE);
        assertThat(stored().get("600:" + START / 600_000 % 144 + ":q"))
                .as("what a newer release counts is kept")
                .isEqualTo("slot=" + START / 600_000 + "|oh=7|failed=2|completed=1|late0=1");

        redisson.getKeys().flushdb();
        setClock(START);
        redisson.getBucket(HISTORY, StringCodec.INSTANCE).set("a string");
        assertThatThrownBy(() -> history.add(Map.of("q", ONE)).join()).hasCauseInstanceOf(LedgerException.class);
    }

    private long scriptsRun() throws Exception {
        return CALLS.matcher(RedisCall.call(redis.url(), "INFO", "commandstats"))
                .results()
                .mapToLong(call -> Long.parseLong(call.group(1)))
                .sum();
    }

    @Test
    void aNodeCallsOnceForWhatHappenedAndNotAtAllIfNothingDid() throws Exception {
        history.add(Map.of("loaded", ONE)).join();
        RedisCall.call(redis.url(), "CONFIG", "RESETSTAT");
        try (HistoryCounter counter = new HistoryCounter(history)) {
            QueueTelemetry queue = counter.queue("q");
            TimeUnit.MILLISECONDS.sleep(2500);
            assertThat(scriptsRun()).isZero();

            queue.completed("job");
            queue.completed("job");
            await().until(() -> sum("q", Span.DAY).completed() == 2);
            RedisCall.call(redis.url(), "CONFIG", "RESETSTAT");
            TimeUnit.MILLISECONDS.sleep(2500);
            assertThat(scriptsRun()).isZero();
        }
    }

    @Test
    void aNodeThatEndsWithoutNoticeLosesTheLastSecondAtMost() throws Exception {
        RedissonClient killed = client();
        HistoryCounter counter = new HistoryCounter(store(killed));
        counter.queue("q").completed("job");
        await().until(() -> sum("q", Span.DAY).completed() == 1);
        counter.queue("q").completed("job");
        killed.shutdown();
        assertThat(sum("q", Span.DAY).completed()).isBetween(1L, 2L);
        counter.close();
    }

    /** Attempts that are spread over a dozen buckets are more than a queue usually has. */
    @Test
    void allSlotsOfAQueueTakeLessThan128Kibibytes() throws Exception {
        long[] late = new long[Lateness.BUCKETS];
        Arrays.fill(late, 4, 16, 123);
        Counts busy = Counts.of(12_345, 123, 12, late).plus(Counts.ready(1234));
        int queues = 10;
        Map<String, Counts> counts = new LinkedHashMap<>();
        for (int i = 0; i < queues; i++) {
            counts.put("some-queue-" + i, busy);
        }
        long end = START + Span.DAY.length().toMillis();
        for (long at = START; at < end; at += 1000L * Span.DAY.seconds()) {
            addAt(at, counts);
        }
        for (long at = end; at < end + Span.HOURS.length().toMillis(); at += 1000L * Span.HOURS.seconds()) {
            addAt(at, counts);
        }
        long last = end + Span.HOURS.length().toMillis();
        for (long at = last; at < last + Span.MINUTES.length().toMillis(); at += 1000L * Span.MINUTES.seconds()) {
            addAt(at, counts);
        }

        assertThat(stored()).hasSize(444 * queues);
        long bytes = Long.parseLong(RedisCall.call(redis.url(), "MEMORY", "USAGE", HISTORY, "SAMPLES", "0")
                .replaceAll("\\D", ""));
        assertThat(bytes / queues).isBetween(10_000L, 128L * 1024);
    }

    private void addAt(long at, Map<String, Counts> counts) {
        setClock(at);
        history.add(counts).join();
    }
}

package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.JobQuery;
import io.delayjob.JobState;
import io.delayjob.QueueCounts;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.redisson.internal.redis.RawRedis;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Writes garbage into Redis by plain commands, as anyone with write access could, while a node works. No garbage loads a class or stops
 * an actor; a job that cannot be run is dead with a reason; good jobs run meanwhile; calls of the admin answer, or say what is wrong.
 *
 * <p>The garbage is random. A failure is repeated with the seed it prints: {@code -Ddelayjob.fuzz.seed=…}.
 */
@Tag("proof")
@RealRedis
class FuzzIT {

    private static final Duration SOON = Duration.ofMinutes(2);

    private final long seed = Long.getLong("delayjob.fuzz.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final String queue = TestSettings.queue();
    private final NoteJob notes = new NoteJob();
    private final AnyJob any = new AnyJob();
    private final TestNode node =
            TestNode.start(RedisServer.shared().url(), queue, TestSettings.defaults(), notes, any, new MapJob());
    private final RawRedis raw = new RawRedis(node.redisson);
    private int good;

    /** Takes whatever JSON holds. */
    static final class AnyJob implements DelayJob<Object> {

        private final Queue<String> ids = new ConcurrentLinkedQueue<>();

        @Override
        public void execute(JobExecution<Object> execution) {
            ids.add(execution.id());
        }
    }

    /** Takes what JSON has by name. */
    static final class MapJob implements DelayJob<Map<String, Object>> {

        @Override
        public void execute(JobExecution<Map<String, Object>> execution) {}
    }

    FuzzIT() {
        System.out.println("FuzzIT: -Ddelayjob.fuzz.seed=" + seed);
    }

    @AfterEach
    void close() {
        node.redisson.getKeys().deleteByPattern(key("*"));
        node.close();
    }

    private String key(String name) {
        return "delayjob:{" + queue + ":0}:" + name;
    }

    /** A good job runs, and the feeder has spoken since. */
    private void assertAtWork() {
        String id = "good-" + ++good;
        node.producer()
                .submitDelayJob(
                        DelayJobRequest.of(NoteJob.class, new Note(id, 1)).withId(id),
                        Duration.ofMillis(good % 2 * 300L));
        await("seed " + seed).atMost(SOON).until(() -> notes.ids().contains(id));
    }

    private void put(Object id, Object record) {
        raw.put(key("jobs"), key("waiting"), id, record);
    }

    /** Nothing waits or runs any more, and the dead say why. */
    private void awaitAllSettled() {
        await("seed " + seed).atMost(SOON).until(() -> {
            QueueCounts counts = node.admin().counts(queue);
            return counts.ready() + counts.delayed() + counts.reserved() == 0;
        });
        node.admin()
                .list(JobQuery.of(queue, JobState.DEAD).withLimit(1000))
                .jobs()
                .forEach(job -> assertThat(job.lastError())
                        .as("seed %d, %s", seed, job.id())
                        .isNotBlank());
    }

    /** Each call answers, or fails with what a user can understand. */
    private void assertAdminAnswers(String id) {
        DelayJobAdmin admin = node.admin();
        Stream.<Runnable>of(
                        () -> admin.find(queue, id),
                        () -> admin.explain(queue, id),
                        () -> admin.counts(queue),
                        () -> admin.nodes(queue),
                        () -> admin.reschedule(queue, id, Duration.ZERO),
                        () -> admin.cancel(queue, id),
                        () -> admin.redrive(queue, id),
                        () -> admin.redriveAll(queue, 3),
                        () -> admin.purgeDead(queue, Duration.ofDays(1), 3),
                        () -> Stream.of(JobState.values()).forEach(state -> admin.list(JobQuery.of(queue, state))))
                .forEach(FuzzIT::assertUnderstandable);
    }

    private static void assertUnderstandable(Runnable call) {
        try {
            call.run();
        } catch (DelayJobException e) {
            assertThat(e.getMessage()).startsWith("Redis ").doesNotContain("java.", "Exception");
        }
    }

    /** Not named in code, because that alone may load it. */
    private static final String CANARY = "io.delayjob.redisson.node.ClassCanary";

    private static boolean loaded(String name) throws Exception {
        Object classes = ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "vmClassHierarchy",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        return classes.toString().contains(name + "/");
    }

    /** Where a class name could stand; the rest of a record is the same for all. */
    private static List<String> recordsThatName(String gadget, String job) {
        String quoted = "\"" + gadget + "\"";
        String typed = "{\"@class\":" + quoted + ",\"@type\":" + quoted + ",\"class\":" + quoted + ",\"@c\":" + quoted
                + ",\"command\":\"x\"}";
        return List.of(
                record(gadget, "1"),
                record("[L" + gadget + ";", "1"),
                record(job, "[" + quoted + "," + typed + "]"),
                record(job, "[" + quoted + ",{\"command\":\"x\"}]"),
                record(job, typed),
                record(job, quoted),
                "{\"@class\":" + quoted + ",\"v\":1,\"at\":1,\"job\":\"" + job + "\",\"param\":" + typed + "}",
                "{\"v\":1,\"at\":1,\"job\":\"" + job + "\",\"headers\":{\"@class\":" + quoted + ",\"__TypeId__\":"
                        + quoted + ",\"contentType\":" + quoted + "},\"param\":" + typed + "}",
                "{\"v\":1,\"at\":1,\"job\":" + typed + ",\"param\":1}",
                "[" + quoted + "," + record(job, typed) + "]");
    }

    private static String record(String job, String param) {
        return "{\"v\":1,\"at\":1,\"job\":\"" + job + "\",\"param\":" + param + "}";
    }

    @Test
    void aNameInARecordNeverLoadsAClass() throws Exception {
        int n = 0;
        for (String gadget : List.of(
                CANARY,
                "javax.script.ScriptEngineManager",
                "com.sun.rowset.JdbcRowSetImpl",
                "org.springframework.context.support.ClassPathXmlApplicationContext",
                "java.net.URLClassLoader")) {
            for (String job : List.of(AnyJob.class.getName(), MapJob.class.getName(), NoteJob.class.getName())) {
                for (String record : recordsThatName(gadget, job)) {
                    put("named-" + ++n, record);
                }
            }
        }
        assertAtWork();
        awaitAllSettled();
        assertAdminAnswers("named-1");
        assertThat(System.getProperty("delayjob.canary")).isNull();
        assertThat(loaded(CANARY)).isFalse();
        assertThat(loaded("com.sun.rowset.JdbcRowSetImpl")).isFalse();
        // The look at the loaded classes would have seen it.
        assertThat(Class.forName(CANARY)).isNotNull();
        assertThat(loaded(CANARY)).isTrue();
        assertThat(System.clearProperty("delayjob.canary")).isEqualTo("was initialised");
    }

    @Test
    void aRecordOfAnythingIsRunOrDeadWithAReason() {
        List<byte[]> records = new ArrayList<>();
        odd().map(text -> text.getBytes(StandardCharsets.UTF_8)).forEach(records::add);
        for (int i = 0; i < 150; i++) {
            records.add(bytes(random.nextInt(200)));
            records.add(truncated());
            records.add(bitten());
            records.add(mixed().getBytes(StandardCharsets.UTF_8));
        }
        for (int i = 0; i < records.size(); i++) {
            put("odd-" + i, records.get(i));
        }
        assertAtWork();
        awaitAllSettled();
        assertAtWork();
        for (int i = 0; i < records.size(); i += 1 + random.nextInt(9)) {
            String id = "odd-" + i;
            assertThat(node.admin().explain(queue, id).text()).isNotBlank();
        }
        assertAdminAnswers("odd-0");
    }

    private Stream<String> odd() {
        String any = AnyJob.class.getName();
        String deep = "[".repeat(100_000);
        String valid = record(any, "1");
        Stream<String> numbers = Stream.of(
                        "1e999999999",
                        "-1e999999999",
                        "1e-999999999",
                        "9".repeat(900),
                        "9".repeat(5000),
                        "0.1",
                        "-1",
                        "null",
                        "true",
                        "\"1\"",
                        "[]",
                        "{}",
                        "[[[[1]]]]",
                        "9223372036854775808",
                        "NaN",
                        "Infinity")
                .flatMap(value -> Stream.of("v", "at", "job", "max", "backoff", "timeout", "ttl", "headers", "param")
                        .flatMap(field ->
                                Stream.of(with(any, field, value), with(NoteJob.class.getName(), field, value))));
        return Stream.concat(
                numbers,
                Stream.of(
                        "",
                        " ",
                        "null",
                        "true",
                        "0",
                        "\"\"",
                        "[]",
                        "{}",
                        "{",
                        "}",
                        "{\"v\":1}",
                        "{\"v\":2}",
                        "{\"v\":-1}",
                        "\u0000",
                        "\uFEFF" + valid,
                        valid + valid,
                        valid + "x",
                        deep,
                        "{\"a\":" + deep,
                        record(any, deep + "]".repeat(100_000)),
                        record(any, "[".repeat(400) + "]".repeat(400)),
                        record(any, "\"\\ud800\""),
                        record(any, "{\"\\ud800\":\"\\udc00\"}"),
                        record("\\ud800", "1"),
                        record("a\\nb", "1"),
                        record("", "1"),
                        record(" ", "1"),
                        record("x".repeat(100_000), "1"),
                        record(any, "\"" + "x".repeat(2_000_000) + "\""),
                        "{\"v\":1,\"v\":2,\"at\":1,\"job\":\"" + any + "\",\"job\":\"other\",\"param\":1,\"param\":2}",
                        "{\"v\":1,\"at\":1,\"job\":\"" + any + "\",\"headers\":{\"\":\"\",\"a\":null},\"param\":1}",
                        "{\"v\":1,\"at\":1,\"job\":\"" + any + "\",\"headers\":{\"a\":{\"b\":1}},\"param\":1}",
                        "{\"v\":1,\"at\":1,\"job\":\"" + any + "\",\"backoff\":[1,2],\"param\":1}",
                        "{\"v\":1,\"at\":1,\"job\":\"" + any + "\",\"backoff\":[1e99,-1,0,7],\"param\":1}",
                        "{\"v\":1,\"at\":1,\"job\":\"" + any + "\",\"max\":-2147483648,\"param\":1}",
                        "{\"v\":1,\"at\":1,\"job\":\"" + any + "\",\"timeout\":9223372036854775807,\"param\":1}"));
    }

    private static String with(String job, String field, String value) {
        String record = "{\"v\":1,\"at\":1,\"job\":\"" + job + "\",\"max\":1,\"param\":{\"text\":\"t\",\"number\":1}}";
        return record.contains("\"" + field + "\":")
                ? record.replaceFirst("\"" + field + "\":(\"[^\"]*\"|\\{[^}]*}|\\d+)", "\"" + field + "\":" + value)
                : record.substring(0, record.length() - 1) + ",\"" + field + "\":" + value + "}";
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] valid() {
        return record(NoteJob.class.getName(), "{\"text\":\"" + "x".repeat(random.nextInt(50)) + "\",\"number\":1}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private byte[] truncated() {
        byte[] valid = valid();
        return Arrays.copyOf(valid, random.nextInt(valid.length));
    }

    private byte[] bitten() {
        byte[] valid = valid();
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            valid[random.nextInt(valid.length)] = (byte) random.nextInt(256);
        }
        return valid;
    }

    private String mixed() {
        StringBuilder json = new StringBuilder("{\"v\":").append(random.nextInt(10) == 0 ? value(2) : "1");
        for (String field : List.of("at", "job", "max", "backoff", "timeout", "ttl", "headers", "param", "x")) {
            if (random.nextInt(3) > 0) {
                boolean job = field.equals("job") && random.nextInt(3) > 0;
                json.append(",\"").append(field).append("\":");
                json.append(job ? "\"" + AnyJob.class.getName() + "\"" : value(3));
            }
        }
        return json.append('}').toString();
    }

    private String value(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 7)) {
            case 0 -> Long.toString(random.nextLong());
            case 1 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
            case 2 -> "\"" + Integer.toString(random.nextInt(), 36) + "\"";
            case 3 -> "null";
            case 4 -> Boolean.toString(random.nextBoolean());
            case 5 -> "\"\\u" + String.format("%04x", random.nextInt(65536)) + "\"";
            case 6 -> Integer.toString(random.nextInt(5));
            case 7 -> "[" + value(depth - 1) + "," + value(depth - 1) + "]";
            default -> "{\"" + random.nextInt(3) + "\":" + value(depth - 1) + "}";
        };
    }

    @Test
    void idsOfAnyBytesAreDeadOrRunAndPagesOfThemEnd() {
        List<byte[]> ids = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ids.add(bytes(1 + random.nextInt(12)));
        }
        List.of("a\nb", "a|b|c", "\u0000", "x".repeat(65_536), "{}", "\r\n WARN forged", "%s{}", "\u2028")
                .forEach(id -> ids.add(id.getBytes(StandardCharsets.UTF_8)));
        ids.forEach(id -> put(id, record(AnyJob.class.getName(), "1")));
        assertAtWork();
        awaitAllSettled();
        assertThat(any.ids)
                .contains("a|b|c", "{}", "%s{}")
                .allSatisfy(id -> assertThat(id).doesNotContain("\n", "\u0000"));
        long dead = node.admin().counts(queue).dead();
        int paged = 0;
        String cursor = null;
        do {
            JobQuery query = JobQuery.of(queue, JobState.DEAD).withLimit(7);
            var page = node.admin().list(query.after(cursor));
            paged += page.jobs().size();
            cursor = page.next();
        } while (cursor != null && paged <= dead);
        assertThat(paged).isEqualTo((int) dead);
        assertThat(node.admin().redriveAll(queue, 3)).isEqualTo(3);
        awaitAllSettled();
        assertThat(node.admin().purgeDead(queue, Duration.ZERO, 10_000)).isPositive();
        assertThat(node.admin().counts(queue).dead()).isZero();
    }

    @Test
    void keysBesideTheJobsMayHoldAnything() {
        for (int i = 0; i < 40; i++) {
            for (String name : List.of("watermark", "holder", "busy", "epoch")) {
                if (random.nextInt(4) == 0) {
                    raw.call("SET", key(name), i % 2 == 0 ? bytes(random.nextInt(20)) : value(1));
                }
            }
            byte[] field = bytes(random.nextInt(10));
            for (String name :
                    List.of("facts", "errors", "progress", "dedupe", "archive", "outcomes", "workers", "handlers")) {
                raw.call("HSET", key(name), field, bytes(random.nextInt(30)));
                raw.call("HSET", key(name), "good-" + (i + 2), bytes(random.nextInt(30)));
            }
            for (String name : List.of("windows", "finished", "nodes")) {
                raw.call(
                        "ZADD",
                        key(name),
                        List.of("inf", "-inf", "1e300", "0.5", "9e15").get(i % 5),
                        field);
            }
            raw.call("ZADD", key("hints"), i % 3, bytes(random.nextInt(30)));
            raw.call("ZADD", key("hints"), 0, NoteJob.class.getName() + "\u0000" + i + "\u0000good-" + i);
            raw.call("RPUSH", key("ready"), bytes(random.nextInt(300)));
            raw.call("PUBLISH", "delayjob:cancelled", bytes(random.nextInt(60)));
            raw.call("PUBLISH", "delayjob:cancelled", queue + ":0 " + i + ":x good-" + i);
            raw.call("PUBLISH", "delayjob:cancelled", queue + ":99999999999 a b");
        }
        for (int i = 0; i < 4; i++) {
            assertAtWork();
        }
        assertAdminAnswers("good-30");
        raw.call("SET", key("paused"), "?");
        assertThat(node.admin().counts(queue).paused()).isTrue();
        node.admin().resume(queue);
        assertAtWork();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jobs",
                "waiting",
                "reserved",
                "dead",
                "facts",
                "errors",
                "dedupe",
                "finished",
                "epoch",
                "ready",
                "watermark",
                "holder",
                "nodes",
                "workers",
                "handlers",
                "hints"
            })
    void aKeyOfTheWrongTypeIsNamedAndWhenItIsMendedTheNodeGoesOn(String name) {
        assertAtWork();
        raw.call("DEL", key(name));
        raw.call("XADD", key(name), "*", "not", "ours");
        assertAdminAnswers("good-1");
        try {
            node.producer()
                    .submitDelayJob(
                            DelayJobRequest.of(NoteJob.class, new Note("x", 1)).withId("during"), Duration.ZERO);
        } catch (DelayJobException e) {
            assertThat(e).hasMessageContainingAll("'during'", "WRONGTYPE " + key(name) + " is a stream");
        }
        raw.call("DEL", key(name));
        assertAtWork();
    }

    @Test
    void redissonsOwnKeysMayHoldAnything() {
        String ready = key("ready");
        assertAtWork();
        raw.call("RPUSH", "redisson_delay_queue:" + ready, "poison");
        raw.call("ZADD", "redisson_delay_queue_timeout:" + ready, "0", "poison");
        raw.call("PUBLISH", "redisson_delay_queue_channel:" + ready, "nan");
        assertAtWork();
        assertAtWork();
        raw.call("DEL", "redisson_delay_queue_timeout:" + ready);
        raw.call("SET", "redisson_delay_queue_timeout:" + ready, "no sorted set");
        assertAtWork();
        assertAtWork();
        raw.call("DEL", "redisson_delay_queue_timeout:" + ready, "redisson_delay_queue:" + ready);
    }
}

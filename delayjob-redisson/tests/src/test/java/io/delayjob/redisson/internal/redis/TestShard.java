package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Backend.Cancellation;
import io.delayjob.engine.ledger.Backend.Notice;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.TestedLedger;
import io.delayjob.testing.RedisServer;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.redisson.api.RScript;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** A shard of its own on a real Redis, with a clock that the test sets. */
final class TestShard implements TestedLedger {

    /** Where the clock of tests begins. */
    static final long START = 1_700_000_000_000L;

    /** A watermark from the start, so that jobs are rung for only when a test feeds or takes it away. */
    private static final String NOTHING_ARRANGED = "0";

    /** In place of include/now.lua: the clock stands in a key beside the others. It does not move where keys are of no shard. */
    private static final String CLOCK = """
            local function now()
              local shard = string.match(KEYS[1], '^(.*}:)')
              return shard and tonumber(redis.call('GET', shard .. 'clock')) or 0, 0
            end
            """;

    /** For each key its type and what it holds. */
    private static final String DUMP = """
            local reads = {
              string = { 'GET' }, list = { 'LRANGE', 0, -1 }, hash = { 'HGETALL' }, zset = { 'ZRANGE', 0, -1, 'WITHSCORES' },
              stream = { 'XRANGE', '-', '+' },
            }
            local contents = {}
            for i, key in ipairs(KEYS) do
              local type = redis.call('TYPE', key).ok
              local read = reads[type]
              contents[i] = { type, read and redis.call(read[1], key, unpack(read, 2)) }
            end
            return contents
            """;

    /** The keys of a shard, but for memos. */
    static final List<String> NAMES = EnumSet.complementOf(EnumSet.of(Key.MEMO, Key.QUEUES)).stream()
            .map(Key::lowerName)
            .toList();

    /** On the test's clock. */
    static final ScriptSource SOURCE =
            new ScriptSource(name -> name.equals("now") ? CLOCK : ScriptSource.resource("include/" + name));

    private static final RedissonClient SHARED = client();
    private static final RedisBackend ON_SHARED = backend(SHARED);

    final Keys keys = new Keys("delayjob", new ShardId("q-" + UUID.randomUUID(), 0));
    private final RedissonClient redisson;
    private final RedisBackend backend;
    final Ledger ledger;

    /** On the Redis that all tests share. */
    TestShard() {
        this(SHARED, ON_SHARED);
    }

    /** On another Redis. */
    TestShard(RedissonClient redisson, RedisBackend backend) {
        this.redisson = redisson;
        this.backend = backend;
        this.ledger = ledger(Retention.NONE);
        setClock(START);
        redisson.getBucket(keys.of(Key.WATERMARK), StringCodec.INSTANCE).set(NOTHING_ARRANGED);
    }

    /** On the test's clock. */
    static RedisBackend backend(RedissonClient redisson) {
        return new RedisBackend(redisson, "delayjob", Runnable::run, SOURCE);
    }

    @Override
    public ShardId id() {
        return keys.shard();
    }

    @Override
    public RedisBackend backend() {
        return backend;
    }

    /** Hears of cancelled runs of this shard; returns when it has heard a message of its own. */
    @Override
    public Backend.Subscription onNotice(Consumer<Notice> listener) {
        RTopic topic = redisson.getTopic(Keys.notices("delayjob"), StringCodec.INSTANCE);
        String probe = UUID.randomUUID().toString();
        CountDownLatch heard = new CountDownLatch(1);
        Backend.Subscription subscription = backend.onNotice(notice -> {
            if (notice instanceof Cancellation cancellation
                    && cancellation.lease().id().equals(probe)) {
                heard.countDown();
            } else if (notice.shard().equals(keys.shard())) {
                listener.accept(notice);
            }
        });
        try {
            do {
                topic.publish(keys.shard() + " 1:probe " + probe);
            } while (!heard.await(10, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return subscription;
    }

    private static RedissonClient client() {
        Config config = new Config();
        config.useSingleServer().setAddress(RedisServer.shared().url()).setConnectionMinimumIdleSize(2);
        RedissonClient client = PatientScripts.of(Redisson.create(config));
        Runtime.getRuntime().addShutdownHook(new Thread(client::shutdown));
        return client;
    }

    RedissonClient redisson() {
        return redisson;
    }

    @Override
    public void setClock(long millis) {
        redisson.getBucket(key("clock"), StringCodec.INSTANCE).set(Long.toString(millis));
    }

    @Override
    public void forgetFlow() {
        redisson.getKeys().unlink(keys.of(Key.JOURNAL));
    }

    String key(String name) {
        return keys.of(Key.JOBS).replace(":jobs", ":" + name);
    }

    /** All keys of the shard and what they hold, but the clock, the memos, and the watermark of the start. */
    Map<String, Object> state() {
        Map<String, Object> state = new TreeMap<>();
        List<List<Object>> contents = redisson.getScript(StringCodec.INSTANCE)
                .eval(
                        RScript.Mode.READ_WRITE,
                        DUMP,
                        RScript.ReturnType.LIST,
                        NAMES.stream().map(this::key).collect(Collectors.toList()));
        for (int i = 0; i < NAMES.size(); i++) {
            List<Object> content = contents.get(i);
            if (!content.get(0).equals("none")) {
                state.put(NAMES.get(i), content((String) content.get(0), content.get(1)));
            }
        }
        state.remove("watermark", NOTHING_ARRANGED);
        return state;
    }

    @SuppressWarnings("unchecked")
    private static Object content(String type, Object content) {
        return switch (type) {
            case "hash" -> pairs((List<String>) content, value -> value);
            case "zset" -> pairs((List<String>) content, score -> (long) Double.parseDouble(score));
            default -> content;
        };
    }

    private static <V> Map<String, V> pairs(List<String> flat, Function<String, V> read) {
        Map<String, V> pairs = new TreeMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            pairs.put(flat.get(i), read.apply(flat.get(i + 1)));
        }
        return pairs;
    }

    /** Removes all data of the shard but its clock, and the watermark of the start. */
    void empty() {
        unlink(NAMES.stream());
        redisson.getBucket(keys.of(Key.WATERMARK), StringCodec.INSTANCE).set(NOTHING_ARRANGED);
    }

    @Override
    public void close() {
        unlink(Stream.concat(NAMES.stream(), Stream.of("clock")));
    }

    private void unlink(Stream<String> names) {
        redisson.getKeys().unlink(names.map(this::key).toArray(String[]::new));
    }
}

package io.delayjob.benchmarks.driver;

import io.delayjob.benchmarks.contender.Store;
import io.delayjob.embedded.RedisCall;
import io.delayjob.testing.OwnCluster;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** A Redis, or a cluster of three masters with a replica each. */
public final class RedisStore implements RunningStore {

    /** Persistence of a server, unless a workload is about others: the one that delayjob's manual asks for. */
    public static final String PERSISTENCE = "--appendonly yes --appendfsync everysec";

    private static final String SLOW_MICROS = "500";
    private static final int MASTERS = 3;

    private static final String SLOWEST = """
            local slowest = 0
            for _, entry in ipairs(redis.call('SLOWLOG', 'GET', 1000)) do
              local command = string.upper(entry[4][1])
              if command == 'EVALSHA' or command == 'EVAL' then
                slowest = math.max(slowest, entry[3])
              end
            end
            return slowest""";

    /** The scripts of some contenders keep a server busy for seconds. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Store store;
    private final List<String> masters;
    private final Runnable end;

    private RedisStore(Store store, List<String> masters, Runnable end) {
        this.store = store;
        this.masters = masters;
        this.end = end;
        masters.forEach(url -> {
            call(url, "CONFIG", "SET", "slowlog-log-slower-than", SLOW_MICROS);
            call(url, "CONFIG", "SET", "slowlog-max-len", "1000");
        });
    }

    /** Starts a server with the settings of {@link #PERSISTENCE} and further ones. */
    public static RedisStore single(String... arguments) {
        OwnRedis redis = OwnRedis.start(Stream.of(List.of(PERSISTENCE.split(" ")), List.of(arguments))
                .flatMap(List::stream)
                .toArray(String[]::new));
        return new RedisStore(new Store(redis.url()), List.of(redis.url()), redis::close);
    }

    /** Starts a cluster that keeps nothing on disk. */
    public static RedisStore cluster() {
        OwnCluster cluster = OwnCluster.start(MASTERS);
        Store store = new Store("redis-cluster://" + String.join(",", cluster.addresses()));
        List<String> masters = cluster.addresses().subList(0, MASTERS).stream()
                .map(address -> "redis://" + address)
                .toList();
        return new RedisStore(store, masters, cluster::close);
    }

    @Override
    public Store store() {
        return store;
    }

    /** Product and version. */
    public String version() {
        try {
            return RedisCall.version(masters.get(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Meter meter() {
        return masters.stream().map(RedisStore::meter).reduce(Meter.NOTHING, Meter::plus);
    }

    private static Meter meter(String url) {
        return RedisInfo.meter(call(url, "INFO", "all"));
    }

    /** How often each command ran, by its name; those that scripts send are among them. */
    public Map<String, Long> calls() {
        return RedisInfo.calls(call(masters.get(0), "INFO", "commandstats"));
    }

    /** Resets the statistics of how long calls took. */
    public void resetDurations() {
        masters.forEach(url -> {
            call(url, "SLOWLOG", "RESET");
            call(url, "CONFIG", "RESETSTAT");
        });
    }

    /** p99 duration of script calls since the last reset, µs, on the slowest master; empty if the server does not report it. */
    public OptionalDouble scriptMicros99() {
        return masters.stream()
                .map(url -> RedisInfo.scriptMicros99(call(url, "INFO", "latencystats")))
                .flatMapToDouble(OptionalDouble::stream)
                .max();
    }

    /** The longest call of a script since the last reset, µs; 0 if none took more than 500. */
    public long slowestScriptMicros() {
        return masters.stream()
                .mapToLong(url -> Long.parseLong(call(url, "EVAL", SLOWEST, "0")))
                .max()
                .orElse(0);
    }

    /** Lets its append-only file grow from now on: it is not rewritten any more. */
    public void keepWholeFile() {
        masters.forEach(url -> call(url, "CONFIG", "SET", "auto-aof-rewrite-percentage", "0"));
        while (masters.stream().anyMatch(url -> persistence(url, "aof_rewrite_in_progress") > 0)) {
            Rig.sleep(100);
        }
    }

    /** How long its append-only file is. */
    public long fileBytes() {
        return masters.stream()
                .mapToLong(url -> persistence(url, "aof_current_size"))
                .sum();
    }

    private static long persistence(String url, String field) {
        return (long) RedisInfo.number(call(url, "INFO", "persistence"), field);
    }

    /** Removes all that it has. */
    public void empty() {
        masters.forEach(url -> call(url, "FLUSHALL"));
    }

    /** Runs a script. */
    public void eval(String script, String first, List<String> arguments) {
        call(
                masters.get(0),
                Stream.concat(Stream.of("EVAL", script, "0", first), arguments.stream())
                        .toArray(String[]::new));
    }

    /** How many members a sorted set has. */
    public long members(String key) {
        return Long.parseLong(call(masters.get(0), "ZCARD", key));
    }

    private static String call(String url, String... words) {
        try {
            return RedisCall.call(PATIENCE, url, words);
        } catch (IOException e) {
            throw new UncheckedIOException(String.join(" ", words), e);
        }
    }

    @Override
    public void close() {
        end.run();
    }
}

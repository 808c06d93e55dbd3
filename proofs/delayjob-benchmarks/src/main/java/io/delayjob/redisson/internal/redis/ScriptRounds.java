package io.delayjob.redisson.internal.redis;

import io.delayjob.Schedule;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.StoredSchedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.NullMarked;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNode.InfoSection;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.api.redisnode.RedisSingle;
import org.redisson.config.Config;

/**
 * Measures what each script costs Redis: takes full batches of jobs through their states, in calls as large as a node makes them, and
 * reads the processor time of the Redis process before and after each call. Nothing else uses that Redis.
 */
@NullMarked
public final class ScriptRounds implements AutoCloseable {

    /** How many jobs a call has, unless that is too many characters. */
    private static final int JOBS = Ledger.MAX_BATCH;

    private static final long LEASE_MILLIS = 60_000;
    private static final int WARM_UP = 20;
    private static final int LOOKS = 200;

    /** Error text as long as a stack trace of a dozen frames; the constant below is the longest that is kept. */
    private static final String ERROR = "x".repeat(1024);

    private static final String LONGEST_ERROR = "x".repeat(8192);

    /** A node puts no more characters than this into one call. */
    private static final int MOST_CHARACTERS = 512 * 1024;

    private static final String PARAM =
            "\"param\":{\"dueMillis\":1766000000000,\"payload\":\"%s\"}}".formatted("p".repeat(128));

    private static final String BODY = "\"job\":\"close-order\"," + PARAM;

    /** How names of scripts end that are called for jobs with keys, each with one of its own. */
    private static final String KEYS = "-keys";

    /** As long as those of schedules with such a param. */
    private static final String DEFINITION = "d".repeat(400);

    private final RedissonClient client;
    private final RedisSingle redis;
    private final Ledger ledger;
    private final Map<String, Histogram> micros = new LinkedHashMap<>();
    private long number;
    private long looking;
    private long instant = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    /**
     * Rounds on a new Redis.
     *
     * @param url of a Redis that is not a cluster
     */
    public ScriptRounds(String url) {
        Config config = new Config();
        config.useSingleServer().setAddress(url).setPingConnectionInterval(0);
        this.client = Redisson.create(config);
        this.redis = client.getRedisNodes(RedisNodes.SINGLE);
        this.ledger = new RedisBackend(client, "delayjob", Runnable::run)
                .ledger(new ShardId("orders", 0), Retention.NONE, Replication.NONE);
    }

    /** The processor time of so many calls of each script, µs, by its name and the number of jobs in a call, without the cost of reading it. */
    public Map<String, Histogram> measure(int calls) {
        ledger.feed(new Feed.Request(
                        new Feed.Presence("n", 600_000, 4, 4, List.of("close-order")),
                        new Feed.Terms(4000, LEASE_MILLIS, 2000, 100),
                        0,
                        Feed.Pulse.NONE))
                .join();
        IntStream.range(0, JOBS).forEach(i -> putSchedule("schedule-" + i));
        IntStream.range(0, WARM_UP).forEach(i -> round(""));
        micros.clear();
        looking = lookMicros();
        IntStream.range(0, calls).forEach(i -> round(""));
        // Now only: a shard that has had a key calls other scripts from then on.
        IntStream.range(0, WARM_UP).forEach(i -> round(KEYS));
        micros.keySet().removeIf(script -> script.contains(KEYS));
        IntStream.range(0, calls).forEach(i -> round(KEYS));
        return micros;
    }

    /** One that has an instant in each millisecond since 1970, so that it is due whenever it is looked for. */
    private void putSchedule(String name) {
        ledger.schedules()
                .put(new Schedules.Put(name, null, DEFINITION, instant + 1, instant, false))
                .join();
    }

    /**
     * Takes jobs through their states.
     *
     * @param kind how the names of the scripts end, {@link #KEYS} for jobs with keys
     */
    private void round(String kind) {
        long round = ++number;
        List<NewJob> jobs = IntStream.range(0, JOBS)
                .mapToObj(i -> new NewJob(
                        "job-%d-%d".formatted(round, i), new NewJob.Due(0, true), JobContent.of(body(kind, i))))
                .toList();
        timed("submit" + kind, JOBS, () -> ledger.submit(call(), jobs));
        List<Lease> first = claim("claim" + kind);
        retry("retry" + kind, first, ERROR);
        List<Lease> second = claim("claim-again" + kind);
        retry("retry-longest-errors" + kind, second, LONGEST_ERROR);
        List<Lease> third = claim("claim-again" + kind);
        timed("complete" + kind, JOBS, () -> complete(third));
        if (kind.isEmpty()) {
            fire();
        }
    }

    private static String body(String kind, int number) {
        return kind.isEmpty() ? BODY : "\"job\":\"close-order\",\"key\":\"customer-%d\",%s".formatted(number, PARAM);
    }

    /** Fires each schedule once; all keep as many decisions as one of some age. */
    private void fire() {
        instant++;
        Schedules schedules = ledger.schedules();
        List<Schedules.Proposal> proposals =
                timed("find_schedules", JOBS, () -> schedules.due(JOBS)).schedules().stream()
                        .map(due -> new Schedules.Proposal(
                                due.name(), due.version(), instant, instant + 1, occurrence(due)))
                        .toList();
        timed("fire", JOBS, () -> schedules.fire(proposals));
        complete(claim("claim")).join();
    }

    private Schedules.Occurrence occurrence(StoredSchedule due) {
        String id = due.name() + "@" + Instant.ofEpochMilli(instant);
        return new Schedules.Occurrence(id, instant, JobContent.of(BODY), Schedule.Overlap.SKIP, 0, instant);
    }

    private CompletableFuture<List<Boolean>> complete(List<Lease> leases) {
        return ledger.settle(call(), each(leases, lease -> new Settlement.Complete(lease, null, BODY.length())));
    }

    /** Retries jobs in calls as large as a node makes them; the last one, which may be smaller, is not measured. */
    private void retry(String name, List<Lease> leases, String error) {
        int most = Math.min(JOBS, MOST_CHARACTERS / (1 + error.length()));
        for (int i = 0; i < leases.size(); i += most) {
            List<Lease> some = leases.subList(i, Math.min(leases.size(), i + most));
            Supplier<CompletableFuture<List<Boolean>>> retry =
                    () -> ledger.settle(call(), each(some, lease -> new Settlement.Retry(lease, 0, error)));
            if (some.size() == most) {
                timed(name, most, retry);
            } else {
                retry.get().join();
            }
        }
    }

    private List<Lease> claim(String name) {
        ClaimRequest request = new ClaimRequest("n", JOBS, LEASE_MILLIS, Long.toString(number));
        List<Lease> leases = timed(name, JOBS, () -> ledger.claim(call(), request)).jobs().stream()
                .map(Claimed.Job::lease)
                .toList();
        if (leases.size() != JOBS) {
            throw new IllegalStateException("claimed %d jobs of %d".formatted(leases.size(), JOBS));
        }
        return leases;
    }

    private static <T> List<T> each(List<Lease> leases, Function<Lease, T> settlement) {
        return leases.stream().map(settlement).toList();
    }

    private Call call() {
        return new Call("lane", ++number);
    }

    private <T> T timed(String script, int jobs, Supplier<CompletableFuture<T>> call) {
        long before = cpuMicros();
        T answer = call.get().join();
        long spent = cpuMicros() - before - looking;
        micros.computeIfAbsent("script=%s jobs=%d".formatted(script, jobs), name -> new Histogram(3))
                .recordValue(Math.max(0, spent));
        return answer;
    }

    /** Processor time that reading the processor time takes, µs: the median of many readings. */
    private long lookMicros() {
        List<Long> looks = new ArrayList<>();
        for (int i = 0; i < LOOKS; i++) {
            long before = cpuMicros();
            looks.add(cpuMicros() - before);
        }
        looks.sort(null);
        return looks.get(LOOKS / 2);
    }

    private long cpuMicros() {
        Map<String, String> info = redis.getInstance().info(InfoSection.CPU);
        return Math.round((seconds(info, "used_cpu_sys") + seconds(info, "used_cpu_user")) * 1e6);
    }

    private static double seconds(Map<String, String> info, String field) {
        return Double.parseDouble(info.getOrDefault(field, "0"));
    }

    @Override
    public void close() {
        client.shutdown();
    }
}

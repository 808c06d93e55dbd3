package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Commands that calls run in Redis where nothing is used that costs some more, and how often they run each. */
class ClaimCommandsIT {

    private static final Pattern CALLS = Pattern.compile("cmdstat_(\\w+):calls=(\\d+)");

    private long number;

    @Test
    void aClaimOfAUniformFleetAsksNothingOfHandlersAndHints() throws IOException {
        try (OwnRedis redis = OwnRedis.start()) {
            RedissonClient client = client(redis);
            try {
                Ledger ledger = new RedisBackend(client, "delayjob", Runnable::run)
                        .ledger(new ShardId("q", 0), Retention.NONE, Replication.NONE);
                for (String node : List.of("n", "m")) {
                    ledger.feed(TestSettings.feed(
                                    new Feed.Presence(node, 60_000, 4, 4, List.of("j")),
                                    new Feed.Terms(4000, 30_000, 2000, 100)))
                            .join();
                }
                claimThree(ledger);
                submitThree(ledger);
                RedisCall.call(redis.url(), "CONFIG", "RESETSTAT");
                ledger.claim(call(), new ClaimRequest("n", 3, 30_000, "r" + number))
                        .join();
                assertThat(called(redis))
                        .isEqualTo(Map.ofEntries(
                                Map.entry("type", 12),
                                Map.entry("time", 1),
                                Map.entry("mget", 2),
                                Map.entry("zcount", 1),
                                Map.entry("get", 1),
                                Map.entry("zrangebyscore", 2),
                                Map.entry("hmget", 2),
                                Map.entry("incrby", 1),
                                Map.entry("zadd", 1),
                                Map.entry("zrem", 1),
                                Map.entry("hdel", 1),
                                Map.entry("hset", 1),
                                Map.entry("set", 1),
                                Map.entry("zrange", 2)));
            } finally {
                client.shutdown();
            }
        }
    }

    @Test
    void aPlainSubmitAsksNothingOfPriorities() throws IOException {
        try (OwnRedis redis = OwnRedis.start()) {
            RedissonClient client = client(redis);
            try {
                Ledger ledger = new RedisBackend(client, "delayjob", Runnable::run)
                        .ledger(new ShardId("q", 0), Retention.NONE, Replication.NONE);
                submitThree(ledger);
                RedisCall.call(redis.url(), "CONFIG", "RESETSTAT");
                ledger.submit(
                                call(),
                                List.of(new NewJob(
                                        "a", new NewJob.Due(5, true), JobContent.of("\"job\":\"j\",\"param\":1}"))))
                        .join();
                assertThat(called(redis))
                        .isEqualTo(
                                Map.of("mget", 1, "hmget", 1, "time", 1, "zcount", 1, "hset", 1, "zadd", 1, "set", 1));
            } finally {
                client.shutdown();
            }
        }
    }

    private static RedissonClient client(OwnRedis redis) {
        Config config = new Config();
        config.useSingleServer().setAddress(redis.url()).setPingConnectionInterval(0);
        return PatientScripts.of(Redisson.create(config));
    }

    private void claimThree(Ledger ledger) {
        submitThree(ledger);
        assertThat(ledger.claim(call(), new ClaimRequest("n", 3, 30_000, "r"))
                        .join()
                        .jobs())
                .hasSize(3);
    }

    private void submitThree(Ledger ledger) {
        for (int i = 0; i < 3; i++) {
            String id = "job-" + number;
            ledger.submit(
                            call(),
                            List.of(new NewJob(
                                    id, new NewJob.Due(0, true), JobContent.of("\"job\":\"j\",\"param\":1}"))))
                    .join();
        }
    }

    private Call call() {
        return new Call("lane", ++number);
    }

    /** Commands that scripts have called, with the number of calls. */
    private static Map<String, Integer> called(OwnRedis redis) throws IOException {
        Map<String, Integer> calls = new TreeMap<>();
        Matcher call = CALLS.matcher(RedisCall.call(redis.url(), "INFO", "commandstats"));
        while (call.find()) {
            calls.put(call.group(1), Integer.valueOf(call.group(2)));
        }
        List.of("eval", "evalsha", "config", "info", "ping", "hello", "auth").forEach(calls::remove);
        return calls;
    }
}

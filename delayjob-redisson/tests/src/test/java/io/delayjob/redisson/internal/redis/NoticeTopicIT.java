package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.ledger.Backend.Cancellation;
import io.delayjob.engine.ledger.Backend.Notice;
import io.delayjob.engine.ledger.Backend.Subscription;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Hearing of what nodes are told, when Redis comes and goes. */
@ExtendWith(OutputCaptureExtension.class)
class NoticeTopicIT {

    private static final String UNHEARD = "cannot listen for notices of other nodes on channel delayjob:cancelled";
    private static final String HEARD = "listening again for notices of other nodes on channel delayjob:cancelled";

    private static final ShardId SHARD = new ShardId("q", 0);

    private final BlockingQueue<Notice> heard = new LinkedBlockingQueue<>();
    private long number;

    @Test
    void beginsToListenWhenRedisCanBeReachedAndAgainAfterItWasAway() {
        try (OwnRedis redis = OwnRedis.start()) {
            redis.stop();
            RedissonClient client = client(redis);
            try {
                RedisBackend backend = new RedisBackend(client, "delayjob", Runnable::run);
                long start = System.nanoTime();
                Subscription subscription = backend.onNotice(heard::add);
                Ledger ledger = backend.ledger(SHARD, Retention.NONE, Replication.NONE);
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(2));
                redis.restart();
                hearsOfACancelledRun(ledger);
                redis.restart();
                hearsOfACancelledRun(ledger);
                subscription.close();
                subscription.close();
            } finally {
                client.shutdown();
            }
        }
    }

    @Test
    void goesOnAfterAMessageThatIsNone() throws InterruptedException {
        try (OwnRedis redis = OwnRedis.start()) {
            RedissonClient client = client(redis);
            try {
                RedisBackend backend = new RedisBackend(client, "delayjob", Runnable::run);
                backend.onNotice(heard::add);
                hearsOfACancelledRun(backend.ledger(SHARD, Retention.NONE, Replication.NONE));
                client.getTopic("delayjob:cancelled", StringCodec.INSTANCE).publish("nonsense");
                hearsOfACancelledRun(backend.ledger(SHARD, Retention.NONE, Replication.NONE));
            } finally {
                client.shutdown();
            }
        }
    }

    @Tag("proof")
    @Test
    void saysOnceThatItIsNotAllowedToListenAndThatItIsAgain(CapturedOutput output) throws Exception {
        try (OwnRedis redis = OwnRedis.start()) {
            RedisCall.call(redis.url(), "ACL", "SETUSER", "default", "resetchannels");
            RedissonClient client = client(redis);
            try {
                RedisBackend backend = new RedisBackend(client, "delayjob", Runnable::run);
                backend.onNotice(heard::add);
                await().until(() -> output.getOut().contains(UNHEARD));
                RedisCall.call(redis.url(), "ACL", "LOG", "RESET");
                await().until(() -> !RedisCall.call(redis.url(), "ACL", "LOG").isEmpty());
                assertThat(output.getOut()).doesNotContain(HEARD);
                RedisCall.call(redis.url(), "ACL", "SETUSER", "default", "allchannels");
                hearsOfACancelledRun(backend.ledger(SHARD, Retention.NONE, Replication.NONE));
                await().until(() -> output.getOut().contains(HEARD));
                assertThat(output.getOut()).containsOnlyOnce(UNHEARD);
            } finally {
                client.shutdown();
            }
        }
    }

    @Test
    void hearsOnACluster() throws Exception {
        try (OwnRedis redis = OwnRedis.start("--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1")) {
            List<String> slots = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
            IntStream.range(0, 16_384).forEach(slot -> slots.add(Integer.toString(slot)));
            RedisCall.call(redis.url(), slots.toArray(String[]::new));
            Config config = new Config();
            config.setLazyInitialization(true);
            config.useClusterServers().addNodeAddress(redis.url()).setRetryAttempts(1);
            RedissonClient client = Redisson.create(config);
            try {
                RedisBackend backend = new RedisBackend(client, "delayjob", Runnable::run);
                backend.onNotice(heard::add);
                hearsOfACancelledRun(backend.ledger(SHARD, Retention.NONE, Replication.NONE));
            } finally {
                client.shutdown();
            }
        }
    }

    @Test
    void closesAfterItsClientToo() {
        try (OwnRedis redis = OwnRedis.start()) {
            RedissonClient client = client(redis);
            Subscription subscription = new RedisBackend(client, "delayjob", Runnable::run).onNotice(heard::add);
            client.shutdown();
            subscription.close();
        }
    }

    private static RedissonClient client(OwnRedis redis) {
        Config config = new Config();
        config.setLazyInitialization(true);
        config.useSingleServer().setAddress(redis.url()).setConnectTimeout(500).setRetryAttempts(1);
        return Redisson.create(config);
    }

    /** Cancels runs until one of them is heard of: nothing says when Redisson listens again, and what is heard may be late. */
    private void hearsOfACancelledRun(Ledger ledger) {
        Set<Cancellation> cancelled = new HashSet<>();
        Exception last = null;
        long limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (System.nanoTime() < limit) {
            try {
                Lease lease = run(ledger);
                ledger.cancel(new Call("lane", ++number), List.of(lease.id())).join();
                cancelled.add(new Cancellation(SHARD, lease));
                if (cancelled.contains(heard.poll(100, TimeUnit.MILLISECONDS))) {
                    return;
                }
            } catch (RuntimeException e) {
                last = e;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        throw new AssertionError("nothing was heard", last);
    }

    /** A job of its own: one whose claim was not answered stands in no other's way. */
    private Lease run(Ledger ledger) {
        String id = "job-" + ++number;
        ledger.submit(
                        new Call("lane", number),
                        List.of(new NewJob(id, new NewJob.Due(0, true), JobContent.of("\"x\":1}"))))
                .join();
        return ledger.claim(new Call("lane", ++number), new ClaimRequest("n", 1, 60_000, "r" + number))
                .join()
                .jobs()
                .get(0)
                .lease();
    }
}

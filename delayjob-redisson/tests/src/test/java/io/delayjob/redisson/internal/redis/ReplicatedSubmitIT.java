package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.delayjob.Dedupe;
import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.NotReplicatedException;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Results of a submit script and WAIT in one batch, on a master with one replica. */
class ReplicatedSubmitIT {

    private static final String BODY = "\"job\":\"j\",\"param\":1}";
    private static final ShardId SHARD = new ShardId("q", 0);
    private static final Keys KEYS = new Keys("delayjob", SHARD);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final OwnRedis master = OwnRedis.start("--repl-diskless-sync-delay", "0");
    private final OwnRedis replica = OwnRedis.start("--replicaof", "127.0.0.1", Integer.toString(master.port()));
    private final RedissonClient client = client(master);
    private long number;

    private static RedissonClient client(OwnRedis redis) {
        return client(redis, false, TIMEOUT);
    }

    private static RedissonClient client(OwnRedis redis, boolean lazy, Duration timeout) {
        Config config = new Config().setLazyInitialization(lazy);
        config.useSingleServer()
                .setAddress(redis.url())
                .setConnectionMinimumIdleSize(1)
                .setTimeout((int) timeout.toMillis());
        return Redisson.create(config);
    }

    @BeforeEach
    void awaitReplica() {
        await().until(() -> RedisCall.call(replica.url(), "INFO", "replication").contains("master_link_status:up"));
    }

    @AfterEach
    void close() {
        client.shutdown();
        replica.close();
        master.close();
    }

    @Test
    void isConfirmedWhenTheReplicaHasIt() throws IOException {
        assertThat(submit(ledger(1, LONG), call(), "a").join()).containsExactly(stored("a"));
        assertThat(RedisCall.call(replica.url(), "HGET", KEYS.of(Key.JOBS), "a"))
                .contains("\"job\":\"j\"");
    }

    @Test
    void isConfirmedAsTheFirstCallOfAClientThatConnectsLazily() {
        RedissonClient lazy = client(master, true, TIMEOUT);
        try {
            assertThat(submit(ledger(lazy, 1, LONG), call(), "a").join()).containsExactly(stored("a"));
        } finally {
            lazy.shutdown();
        }
    }

    @Test
    void isNotConfirmedWhenTheReplicaIsSilentAndNeitherIsItsRepeat() {
        replica.pause();
        Call call = call();
        Ledger ledger = ledger(1, SHORT);
        assertThat(failure(submit(ledger, call, "a"))).isInstanceOfSatisfying(NotReplicatedException.class, few -> {
            assertThat(few.required()).isEqualTo(1);
            assertThat(few.reached()).isZero();
            assertThat(few.kind()).isEqualTo(Kind.NOT_REPLICATED);
            assertThat(few)
                    .hasMessage("0 of 1 replicas acknowledged it within PT0.1S; if Redis has fewer, lower"
                            + " delayjob.replication.replicas (submit)");
        });
        assertThat(failure(submit(ledger, call, "a")))
                .as("a repeat, which gets the kept answer")
                .isInstanceOf(NotReplicatedException.class);
        RedissonClient other = client(master);
        try {
            assertThat(failure(submit(ledger(other, 1, SHORT), call, "a")))
                    .as("a repeat on a connection that has not written before")
                    .isInstanceOf(NotReplicatedException.class);
        } finally {
            other.shutdown();
        }
        assertThat(failure(submit(ledger, call(), "a")))
                .as("another call, which finds the id")
                .isInstanceOf(NotReplicatedException.class);
        replica.resume();
        assertThat(submit(ledger(1, LONG), new Call("lane", number), "a").join())
                .containsExactly(new SubmitResult("q", "a", Outcome.EXISTS));
    }

    @Test
    void aRepeatWritesSoThatWaitIsAboutIt() throws IOException {
        Call call = call();
        Ledger ledger = ledger(1, LONG);
        submit(ledger, call, "a").join();
        RedisCall.call(master.url(), "PEXPIRE", KEYS.memo("lane"), "60000");
        assertThat(submit(ledger, call, "a").join()).containsExactly(stored("a"));
        assertThat(Long.parseLong(RedisCall.call(master.url(), "PTTL", KEYS.memo("lane"))))
                .isGreaterThan(60_000);
    }

    @Test
    void jobsWhoseDedupeKeyIsTakenWaitForWhatIsThere() {
        Dedupe dedupe = Dedupe.untilFinished("k");
        Ledger plain = ledger(0, SHORT);
        replica.pause();
        assertThat(plain.submit(call(), List.of(job("first", dedupe))).join()).containsExactly(stored("first"));
        CompletableFuture<List<SubmitResult>> second = ledger(1, SHORT).submit(call(), List.of(job("second", dedupe)));
        assertThat(failure(second)).isInstanceOf(NotReplicatedException.class);
        replica.resume();
        assertThat(ledger(1, LONG).submit(call(), List.of(job("third", dedupe))).join())
                .containsExactly(new SubmitResult("q", "first", Outcome.KEPT));
    }

    @Test
    void isLoadedAgainAfterScriptsWereFlushed() throws IOException {
        Ledger ledger = ledger(1, LONG);
        for (String id : List.of("a", "b", "c")) {
            RedisCall.call(master.url(), "SCRIPT", "FLUSH");
            assertThat(submit(ledger, call(), id).join()).containsExactly(stored(id));
        }
        assertThat(submit(ledger, call(), "d").join()).containsExactly(stored("d"));
        assertThat(stats()).contains("cmdstat_wait:calls=7,");
    }

    @Test
    void isSentAsBeforeWhenNoReplicaIsWanted() throws IOException {
        submit(ledger(0, LONG), call(), "a").join();
        assertThat(stats()).contains("cmdstat_evalsha").doesNotContain("cmdstat_wait", "cmdstat_multi");
    }

    @Test
    void saysThatRedisIsFullAndStoresNothing() throws IOException {
        Ledger ledger = ledger(1, SHORT);
        submit(ledger, call(), "a").handle((done, failure) -> "whatever").join();
        RedisCall.call(master.url(), "CONFIG", "SET", "maxmemory", "1");
        assertThat(failure(submit(ledger, call(), "b"))).isInstanceOfSatisfying(LedgerException.class, full -> {
            assertThat(full.kind()).isEqualTo(Kind.REFUSED);
            assertThat(full).hasMessageContaining("OOM");
        });
        assertThat(ledger.find("b").join()).isEmpty();
    }

    @Test
    void aKeyOfTheWrongTypeIsRefusedAndNamed() throws IOException {
        RedisCall.call(master.url(), "SET", KEYS.of(Key.WAITING), "not ours");
        assertThat(failure(submit(ledger(1, SHORT), call(), "a"))).isInstanceOfSatisfying(LedgerException.class, e -> {
            assertThat(e.kind()).isEqualTo(Kind.REFUSED);
            assertThat(e).hasMessageContaining("WRONGTYPE");
        });
    }

    @Test
    void aCallThatWasOvertakenFails() {
        Ledger ledger = ledger(1, LONG);
        Call first = call();
        submit(ledger, call(), "a").join();
        assertThat(failure(submit(ledger, first, "b"))).hasMessageContaining("was overtaken");
    }

    @Test
    void theOutcomeIsUnknownWhenTheMasterBecomesAReplicaMeanwhileAndARepeatIsRefusedThere() throws IOException {
        submit(ledger(0, LONG), call(), "loads the script").join();
        replica.pause();
        Call call = call();
        Ledger ledger = ledger(1, LONG);
        CompletableFuture<List<SubmitResult>> waiting = submit(ledger, call, "a");
        await().until(() -> RedisCall.call(master.url(), "INFO", "clients").contains("blocked_clients:1"));
        RedisCall.call(master.url(), "REPLICAOF", "127.0.0.1", "1");
        assertThat(failure(waiting)).isInstanceOfSatisfying(LedgerException.class, e -> {
            assertThat(e).hasMessageContaining("did not say how many replicas acknowledged it: UNBLOCKED");
            assertThat(e.kind()).isEqualTo(Kind.UNKNOWN);
        });
        // The connection of the first try is closed, which the next may find out.
        await().untilAsserted(() -> assertThat(failure(submit(ledger, call, "a")))
                .isInstanceOfSatisfying(
                        LedgerException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_RUN))
                .hasMessageContaining("READONLY"));
    }

    @Test
    void theOutcomeIsUnknownWhenTheMasterDoesNotAnswer() {
        Call call;
        RedissonClient impatient = client(master, false, Duration.ofSeconds(2));
        try {
            Ledger ledger = ledger(impatient, 1, SHORT);
            submit(ledger, call(), "a").handle((done, failure) -> "whatever").join();
            master.pause();
            call = call();
            assertThat(failure(submit(ledger, call, "b")))
                    .isInstanceOfSatisfying(
                            LedgerException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNKNOWN));
        } finally {
            master.resume();
            impatient.shutdown();
        }
        assertThat(submit(ledger(1, LONG), call, "b").join()).containsExactly(stored("b"));
    }

    private Ledger ledger(int replicas, Duration timeout) {
        return ledger(client, replicas, timeout);
    }

    private static Ledger ledger(RedissonClient client, int replicas, Duration timeout) {
        return new RedisBackend(client, "delayjob", Runnable::run)
                .ledger(SHARD, Retention.NONE, new Replication(replicas, timeout));
    }

    private Call call() {
        return new Call("lane", ++number);
    }

    private static NewJob job(String id, Dedupe dedupe) {
        return new NewJob(id, new NewJob.Due(60_000, true), new JobContent(BODY, null, dedupe));
    }

    private static CompletableFuture<List<SubmitResult>> submit(Ledger ledger, Call call, String id) {
        return ledger.submit(call, List.of(new NewJob(id, new NewJob.Due(60_000, true), JobContent.of(BODY))));
    }

    private static SubmitResult stored(String id) {
        return new SubmitResult("q", id, Outcome.STORED);
    }

    private static Throwable failure(CompletableFuture<?> answer) {
        return Objects.requireNonNull(catchThrowable(answer::join).getCause());
    }

    private String stats() throws IOException {
        return RedisCall.call(master.url(), "INFO", "commandstats");
    }
}

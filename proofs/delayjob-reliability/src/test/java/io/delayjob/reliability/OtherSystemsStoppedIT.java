package io.delayjob.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobSubmissionException;
import io.delayjob.embedded.RedisCall;
import io.delayjob.reliability.harness.Account;
import io.delayjob.reliability.harness.FaultProxy;
import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.Load;
import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.reliability.node.Journal.Kind;
import io.delayjob.reliability.node.Work;
import io.delayjob.reliability.node.WorkJob;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults that made workers of other systems stop, wait for too long, or lose jobs, here injected into delayjob. */
@Tag("proof")
@Faults
class OtherSystemsStoppedIT {

    private static final Duration BOUND = Duration.ofMinutes(4);

    /** Longer than the lease of jobs, of the holder, and than Redisson's timeouts. */
    private static final Duration PAUSE = Duration.ofSeconds(Long.getLong("reliability.pause", 8));

    /**
     * <a href="https://github.com/taskforcesh/bullmq/issues/1658">BullMQ#1658</a>: when the connection of a worker that waited
     * was lost and came back, its timer for the next delayed job was gone: the job ran when something else woke the worker,
     * hours later.
     *
     * <p>Here the next due time is in Redis and asked for after every failed step, and no wait is longer than a second. One of
     * the jobs is submitted while the node that will run it is cut off, so that nobody rings for it.
     */
    @Test
    void connectionIsLostWhileTheWorkerWaits(Stage stage) {
        OwnRedis redis = stage.redis();
        FaultProxy network = stage.proxy(redis);
        stage.node(network.url());
        Load load = stage.load(Load.Mix.USUAL);
        load.submit(work("before", 0), Duration.ofSeconds(7)).join();
        Stage.pass(Duration.ofSeconds(1));
        network.refuse();
        network.cut();
        load.submit(work("meanwhile", 0), Duration.ofSeconds(7)).join();
        Stage.pass(Duration.ofSeconds(3));
        network.allow();

        Account account = stage.settle(BOUND);
        assertThat(account.finished()).isEqualTo(2);
        assertThat(account.latestMillis()).isLessThan(30_000);
    }

    /**
     * <a href="https://github.com/jobrunr/jobrunr/issues/784">JobRunr#784</a>: the database was away for longer than a timeout,
     * and job processing stopped for good, until a restart. In <a
     * href="https://github.com/jobrunr/jobrunr/issues/498">#498</a> the database was read-only for some minutes after a
     * failover. Sidekiq's poller died in the same way (<a
     * href="https://github.com/sidekiq/sidekiq/issues/309">#309</a>), and with it all delayed jobs, while others went on.
     *
     * <p>Here every loop of a node survives whatever it meets, waits, and tries again.
     */
    @Test
    void redisBlips(Stage stage) throws IOException {
        OwnRedis redis = stage.redis();
        NodeProcess node = stage.node(redis.url());
        CompletableFuture<Void> submits = stage.submit(200, Duration.ofSeconds(12));
        node.awaitLine(Kind.COMPLETED, BOUND);
        RedisCall.call(redis.url(), "REPLICAOF", "127.0.0.1", "1");
        Stage.pass(Duration.ofSeconds(2));
        RedisCall.call(redis.url(), "REPLICAOF", "NO", "ONE");
        Stage.pass(Duration.ofSeconds(1));
        redis.kill();
        Stage.pass(Stage.LEASE.plusSeconds(3));
        redis.restart();
        submits.join();

        stage.settle(BOUND);
    }

    /**
     * <a href="https://github.com/jobrunr/jobrunr/issues/192">JobRunr#192</a>: after a garbage collection of 20 s, others had
     * struck the server off the list; it found itself missing and stopped for good.
     *
     * <p>Here a node that others took for dead comes back with its next feed. It is frozen long enough to be taken out of the
     * fleet, to lose the holder's seat and all its jobs; then Redis is frozen for as long.
     */
    @Test
    void longPauseOfANodeAndOfRedis(Stage stage) {
        OwnRedis redis = stage.redis();
        NodeProcess paused = stage.node(redis.url());
        stage.node(redis.url());
        Load load = stage.load(Load.Mix.USUAL);
        load.submit(120, Duration.ofSeconds(2));
        paused.awaitLine(Kind.COMPLETED, BOUND);
        paused.freeze();
        Stage.pass(PAUSE);
        paused.thaw();
        redis.pause();
        Stage.pass(PAUSE);
        redis.resume();
        long runsAgain = System.currentTimeMillis();
        load.submit(400, Duration.ofSeconds(6)).join();

        stage.settle(BOUND);
        assertThat(paused.journal()).anyMatch(line -> line.kind() == Kind.COMPLETED && line.millis() > runsAgain);
    }

    /**
     * <a href="https://github.com/sidekiq/sidekiq/issues/5558">Sidekiq#5558</a>: Redis was full. The retry of a job that failed
     * could not be stored, and the job had been taken from its queue already: it was lost, and stayed lost when there was room
     * again.
     *
     * <p>Here a job is moved by one script, which begins with a removal: a full Redis lets it run. A submit is refused, and says
     * that nothing is stored.
     */
    @Test
    void redisIsFull(Stage stage) throws IOException {
        stage.leasesThatLast();
        OwnRedis redis = stage.redis();
        stage.node(redis.url());
        Load load = stage.load(new Load.Mix(Duration.ofSeconds(2), Duration.ofMillis(50), 0.5, 0.1));
        load.submit(100, Duration.ofMillis(500)).join();
        RedisCall.call(redis.url(), "CONFIG", "SET", "maxmemory", "1mb");
        load.submit(30, Duration.ofMillis(500)).join();
        assertThatThrownBy(() -> stage.producer().submitDelayJob(work("refused", 0), Duration.ZERO))
                .isInstanceOfSatisfying(
                        JobSubmissionException.class,
                        e -> assertThat(e.outcome()).isEqualTo(JobSubmissionException.Outcome.NOT_STORED));
        stage.awaitAllDone(BOUND);
        RedisCall.call(redis.url(), "CONFIG", "SET", "maxmemory", "0");
        load.submit(20, Duration.ofMillis(500)).join();

        Account account = stage.settle(BOUND);
        assertThat(account.submitted()).isEqualTo(120);
        assertThat(account.refused()).isEqualTo(30);
        assertThat(account.duplicates()).isZero();
        assertThat(account.retries()).isPositive();
    }

    private static DelayJobRequest<Work> work(String id, long millis) {
        return DelayJobRequest.of(WorkJob.class, new Work(millis, 0)).withId(id);
    }
}

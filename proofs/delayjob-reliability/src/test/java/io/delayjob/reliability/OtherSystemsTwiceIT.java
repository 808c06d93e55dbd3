package io.delayjob.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobRequest;
import io.delayjob.embedded.RedisCall;
import io.delayjob.reliability.harness.Account;
import io.delayjob.reliability.harness.FaultProxy;
import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.Load;
import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.reliability.node.Journal;
import io.delayjob.reliability.node.Journal.Kind;
import io.delayjob.reliability.node.StubbornJob;
import io.delayjob.reliability.node.Work;
import io.delayjob.reliability.node.WorkJob;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs of other systems that ran twice, or early: the same, done to delayjob. */
@Tag("proof")
@Faults
class OtherSystemsTwiceIT {

    private static final Duration BOUND = Duration.ofMinutes(4);
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final Load.Mix ONLY_WORK = new Load.Mix(Duration.ofSeconds(1), Duration.ofMillis(20), 0, 0);

    /**
     * <a href="https://github.com/sidekiq/sidekiq/issues/6379">Sidekiq#6379</a>: a process had two sets of workers for one
     * queue. When it was told to stop, the idle set was done first and gave back all jobs of the process, those as well that the
     * other set was running: they ran in other processes at the same time.
     *
     * <p>Here a job is given back under the token of its claim, by the run that holds it. The process has a part for each shard of
     * the queue; all but one are idle.
     */
    @Test
    void idlePartOfAProcessStopsBeforeTheBusyOne(Stage stage) {
        stage.leasesThatLast();
        stage.everywhere("delayjob.shards=4", "spring.lifecycle.timeout-per-shutdown-phase=60s");
        OwnRedis redis = stage.redis();
        List<NodeProcess> nodes = stage.nodes(2, redis.url());
        NodeProcess stopping = nodes.get(0);
        NodeProcess other = nodes.get(1);
        Load load = stage.load(ONLY_WORK);
        other.freeze();
        load.submit(work(WorkJob.class, "long", 2000), Duration.ZERO).join();
        stopping.awaitLine(Kind.BEGUN, SOON);
        other.thaw();
        stage.stop(stopping);

        Account account = stage.settle(BOUND);
        assertThat(account.duplicates()).isZero();
        assertThat(account.givenBack()).isZero();
        assertThat(account.finished()).isEqualTo(1);
        assertThat(stopping.journal()).extracting(Journal.Line::kind).contains(Kind.ENDED);
    }

    /**
     * <a href="https://github.com/sidekiq/sidekiq/issues/6379">Sidekiq#6379</a>, <a
     * href="https://github.com/sidekiq/sidekiq/issues/4115">#4115</a>, <a
     * href="https://github.com/sidekiq/sidekiq/issues/6770">#6770</a>: jobs ran for longer than the shutdown may take, and were
     * given back; each was in the queue once for that, and again for the error that its interrupt was, or for a reply of a slow
     * Redis that did not come in time.
     *
     * <p>Here a run ends with one word, and a word that is repeated counts once. A job that ignores its interrupt keeps its
     * lease, so that it does not run elsewhere while it still runs here.
     */
    @Test
    void jobsOutlastTheShutdownWhileRedisIsSlow(Stage stage) {
        OwnRedis redis = stage.redis();
        FaultProxy network = stage.proxy(redis);
        NodeProcess stopping = stage.node(network.url(), "delayjob.shutdown-timeout=1s");
        NodeProcess other = stage.node(redis.url());
        other.freeze();
        Load load = stage.load(ONLY_WORK);
        List<CompletableFuture<Void>> submits = IntStream.range(0, 8)
                .mapToObj(i -> load.submit(
                        work(i % 2 == 0 ? WorkJob.class : StubbornJob.class, "long-" + i, 6000), Duration.ZERO))
                .toList();
        submits.forEach(CompletableFuture::join);
        await().atMost(SOON).until(() -> begun(stopping).size() == 8);
        other.thaw();
        network.delay(Duration.ofMillis(50), Duration.ofMillis(100), stage.random());
        stage.stop(stopping);

        Account account = stage.settle(BOUND);
        assertThat(account.finished()).isEqualTo(8);
        assertThat(account.givenBack()).isEqualTo(4);
        assertThat(account.duplicates()).isEqualTo(4);
        assertThat(begun(other)).hasSize(8);
        assertThat(stopping.journal())
                .extracting(Journal.Line::kind)
                .doesNotContain(Kind.ENDED, Kind.COMPLETED, Kind.RETRIED, Kind.BURIED);
    }

    /**
     * <a href="https://github.com/celery/celery/issues/3270">Celery#3270</a>, <a
     * href="https://github.com/celery/kombu/issues/337">kombu#337</a>: a task that was due later than the visibility timeout was
     * handed out again each time that timeout passed, and ran as often. In asynq long tasks lost their lease (<a
     * href="https://github.com/hibiken/asynq/issues/1030">#1030</a>).
     *
     * <p>Here a job has no lease while it waits, and that of a running one is renewed.
     */
    @Test
    void jobsWaitAndRunForLongerThanTheLease(Stage stage) {
        // Renewed every three seconds, so that a node may stand still for some.
        Duration lease = Duration.ofSeconds(9);
        stage.everywhere("delayjob.lease=" + lease.toMillis() + "ms");
        OwnRedis redis = stage.redis();
        stage.nodes(2, redis.url());
        Load load = stage.load(ONLY_WORK);
        Duration delay = lease.plusSeconds(1);
        for (int i = 0; i < 10; i++) {
            load.submit(work(WorkJob.class, "long-" + i, lease.toMillis() + 1500), delay)
                    .join();
        }

        Account account = stage.settle(BOUND);
        assertThat(account.finished()).isEqualTo(10);
        assertThat(account.duplicates()).isZero();
    }

    /**
     * <a href="https://github.com/sidekiq/sidekiq/pull/1495">Sidekiq#1495</a>: two processes found the same delayed jobs due, and
     * both put them into the queue. <a href="https://github.com/resque/resque-scheduler/issues/46">resque-scheduler#46</a>: a job
     * was added to a moment whose list was being removed as empty, and was gone.
     *
     * <p>Here one script finds due jobs and hands them out. All are due at the same moment, others come for it until it
     * is over, while they are being taken, and three nodes want them.
     */
    @Test
    void allJobsAreDueAtTheSameMoment(Stage stage) {
        stage.leasesThatLast();
        OwnRedis redis = stage.redis();
        stage.nodes(3, redis.url());
        Load load = stage.load(ONLY_WORK);
        long due = System.currentTimeMillis() + 2500;
        List<CompletableFuture<Void>> submits = new ArrayList<>();
        for (long left = 2500; left > -500; left = due - System.currentTimeMillis()) {
            submits.add(load.submit(
                    work(WorkJob.class, "at-once-" + submits.size(), 5), Duration.ofMillis(Math.max(0, left))));
            Stage.pass(Duration.ofMillis(4));
        }
        submits.forEach(CompletableFuture::join);

        Account account = stage.settle(BOUND);
        assertThat(account.finished()).isEqualTo(submits.size());
        assertThat(account.duplicates()).isZero();
    }

    /**
     * <a href="https://github.com/OptimalBits/bull/issues/244">Bull#244</a>: a delay of more than 24 days did not fit into 32
     * bits, and the job ran at once. <a href="https://github.com/OptimalBits/bull/issues/1705">#1705</a>: one that was due before
     * 1970 never ran, and the worker asked for it without a pause.
     *
     * <p>Here a due time is milliseconds in Redis, of the years 1970 to 9999; what is outside is refused. While such jobs wait,
     * the node is as quiet as without any.
     */
    @Test
    void delaysAreVeryLongOrNegative(Stage stage) throws IOException {
        OwnRedis redis = stage.redis();
        stage.node(redis.url());
        Load load = stage.load(ONLY_WORK);
        long days25 = Duration.ofDays(25).toMillis();
        for (long delay : new long[] {(1L << 31) - 1, 1L << 31, (1L << 32) + 1, days25, days25 * 15 * 7000}) {
            load.submit(work(WorkJob.class, "in-" + delay, 0), Duration.ofMillis(delay))
                    .join();
        }
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> stage.producer().submitDelayJob(work(WorkJob.class, "a", 0), -1, TimeUnit.MILLISECONDS));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        stage.producer().submitDelayJob(work(WorkJob.class, "a", 0), Long.MAX_VALUE, TimeUnit.DAYS));
        long before = calls(redis);
        Stage.pass(Duration.ofSeconds(3));
        assertThat(calls(redis) - before).isLessThan(100);

        Account account = stage.account();
        assertThat(account.faults()).isEmpty();
        assertThat(account.waiting()).isEqualTo(5);
    }

    /** How many scripts were called. */
    private static long calls(OwnRedis redis) throws IOException {
        Matcher calls = Pattern.compile("cmdstat_evalsha:calls=(\\d+)")
                .matcher(RedisCall.call(redis.url(), "INFO", "commandstats"));
        assertThat(calls.find()).isTrue();
        return Long.parseLong(calls.group(1));
    }

    private static DelayJobRequest<Work> work(Class<? extends DelayJob<Work>> job, String id, long millis) {
        return DelayJobRequest.of(job, new Work(millis, 0)).withId(id);
    }

    private static List<Journal.Line> begun(NodeProcess node) {
        return node.journal().stream().filter(line -> line.kind() == Kind.BEGUN).toList();
    }
}

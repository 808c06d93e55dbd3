package io.delayjob.reliability.bare;

import static io.delayjob.reliability.bare.Side.PATIENCE;
import static io.delayjob.reliability.bare.Side.POLL;
import static io.delayjob.reliability.bare.Side.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.node.Journal.Kind;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The faults of {@code BLPOP}, which removes an element before anybody has it, and of the loop around it. */
@Tag("proof")
@Comparisons
class BlockingQueueFaultsIT {

    /** How long a job that is stuck or lost is waited for. */
    private static final Duration A_WHILE = Duration.ofSeconds(5);

    @Test
    void lostReplyToAPop(Comparison comparison) {
        comparison.working(Duration.ofMillis(20));
        Outcome bare = loseReplies(comparison.bare().start(), A_WHILE);
        DelayJobSide delayjob = comparison.delayjob();
        CompletableFuture<Void> claim = delayjob.loseReplies(DelayJobSide.key(QUEUE, "epoch"), 1);
        Outcome ours = loseReplies(delayjob, PATIENCE).assertExact();
        claim.join();

        assertThat(bare.lost()).isEqualTo(3);
        comparison.tell(
                "the replies to 3 `BLPOP` are lost on the way, at 40 jobs of 20 ms; for delayjob also that to a claim",
                bare,
                ours,
                "`BLPOP` removes an element before its reply is read, and is sent again after a reconnect (#5592, #4905, #3157)");
    }

    /** All jobs are due at once, so that each further pop finds one. */
    private static Outcome loseReplies(Side side, Duration patience) {
        side.awaitBlockedPop();
        long due = System.currentTimeMillis() + 10_000;
        for (String id : Side.ids("job", 40)) {
            side.submitAt(due, id);
        }
        CompletableFuture<Void> lost = side.loseReplies("BLPOP", 3);
        Outcome outcome = side.outcome(patience);
        lost.join();
        return outcome;
    }

    @Test
    void takeOnAHalfOpenConnection(Comparison comparison) {
        Outcome bare = halfClose(comparison.bare().start(), A_WHILE);
        Outcome ours = halfClose(comparison.delayjob(), PATIENCE).assertExact();

        assertThat(bare.stuck() + bare.lost()).isEqualTo(10);
        comparison.tell(
                "the connection on which the taker waits dies in silence; 10 jobs",
                bare,
                ours,
                "`take()` has no timeout, and no ping is sent while it blocks (#6757, #5670, #2639)");
    }

    private static Outcome halfClose(Side side, Duration patience) {
        side.submit("before", 1, Duration.ofMillis(100));
        side.awaitTimes(Kind.ENDED, 1);
        side.awaitBlockedPop();
        side.proxy.halfClose("BLPOP");
        side.submit("job", 10, Duration.ofMillis(300));
        return side.outcome(patience);
    }

    @Test
    void interruptedPoll(Comparison comparison) {
        BareSide side = comparison.bare().start();
        Outcome bare;
        int rounds = 0;
        do {
            rounds = restart(side, rounds, rounds + 10);
            bare = side.outcome(Duration.ofSeconds(1));
        } while (bare.lost() < 3 && rounds < 200);
        DelayJobSide delayjob = comparison.delayjob();
        restart(delayjob, 0, rounds);
        Outcome ours = delayjob.outcome(PATIENCE).assertExact();

        assertThat(bare.lost()).isPositive();
        comparison.tell(
                "the worker is restarted in order, 0 to 2 ms after each job is due",
                bare,
                ours,
                "an interrupt gives up the reply to a `BLPOP` that has removed its element");
    }

    private static int restart(Side side, int from, int to) {
        Random random = new Random(from);
        for (int i = from; i < to; i++) {
            if (!side.popIsBlocked(Duration.ofSeconds(5))) {
                // Redisson's own poll sometimes does not come back from an interrupt.
                side.restartWorker();
            }
            side.submit(QUEUE, "job-" + i, Duration.ZERO);
            LockSupport.parkNanos(random.nextInt(2_000_000));
            side.restartWorker();
        }
        return to;
    }

    @Test
    void demotedMaster(Comparison comparison) {
        BareSide plain = comparison.bare().open().takePlainly();
        Outcome bare = demote(plain, A_WHILE);
        Outcome ours = demote(comparison.delayjob(), PATIENCE).assertExact();

        assertThat(plain.count(Kind.STOPPED)).isEqualTo(1);
        assertThat(bare.stuck()).isGreaterThanOrEqualTo(10);
        comparison.tell(
                "`FAILOVER` to the replica, to which the address moves; 10 jobs before, 10 after",
                bare.words() + "; the taker has ended",
                ours.wordsAndLateness(),
                "`take()` throws `RedisException: UNBLOCKED`, though it declares `InterruptedException` alone; a loop that"
                        + " catches everything goes on (#1680)");
    }

    private static Outcome demote(Side side, Duration patience) {
        OwnRedis heir = side.closing(
                OwnRedis.start("--replicaof", "127.0.0.1", Integer.toString(side.redis.port())), OwnRedis::close);
        await().atMost(PATIENCE)
                .pollInterval(POLL)
                .until(() -> side.redis("INFO", "replication").contains("state=online"));
        side.awaitBlockedPop();
        side.submit("before", 10, Duration.ofSeconds(2));
        side.redis("FAILOVER", "TO", "127.0.0.1", Integer.toString(heir.port()));
        await().atMost(PATIENCE)
                .pollInterval(POLL)
                .until(() -> Side.call(heir, "ROLE").startsWith("master"));
        side.proxy.retarget(heir.port());
        side.cutAndAwaitReturn();
        side.submit("after", 10, Duration.ofMillis(300));
        return side.outcome(patience);
    }

    @Test
    void unreadableElement(Comparison comparison) {
        Outcome bare = sendUnreadable(comparison.bare().start(), A_WHILE);
        Outcome ours = sendUnreadable(comparison.delayjob(), PATIENCE).assertExactBut(1);

        assertThat(bare.lost()).isEqualTo(1);
        comparison.tell(
                "one of 11 jobs is of another format than the taker's",
                bare,
                ours,
                "`take()` has removed the element when its decoder fails; nobody has it any more (#4186, #1665, #2892)");
    }

    private static Outcome sendUnreadable(Side side, Duration patience) {
        side.submit("before", 5, Duration.ofMillis(300));
        side.submitUnreadable("unreadable", Duration.ofMillis(300));
        side.submit("behind", 5, Duration.ofMillis(300));
        return side.outcome(patience);
    }

    @Test
    void workerKilledRightAfterThePop(Comparison comparison) {
        BareSide side = comparison.bare().open();
        killWorker(side, "bare.work=PT1H", Kind.BEGUN);
        Outcome bare = side.take().outcome(A_WHILE);
        DelayJobSide delayjob = comparison.delayjob(DelayJobSide.SUBMITS_ONLY);
        killWorker(delayjob, "node.trap=BEGUN:1", Kind.TRAPPED);
        delayjob.closing(delayjob.start("other"), ConfigurableApplicationContext::close);
        Outcome ours = delayjob.outcome(PATIENCE);

        assertThat(bare.lost()).isEqualTo(1);
        assertThat(List.of(ours.run(), ours.repeated(), ours.early(), ours.dead(), ours.lost()))
                .containsExactly(ours.submitted(), 1, 0, 0, 0);
        comparison.tell(
                "`kill -9` of a worker that has a job, before it has done anything; another one starts",
                bare.words(),
                "%d of %d ran, the one that the worker had when its lease ended"
                        .formatted(ours.run(), ours.submitted()),
                "`BLPOP` is at most once: what is popped is with the worker alone (#3157, #3136)");
    }

    private static void killWorker(Side side, String held, Kind when) {
        NodeProcess worker = side.launch("doomed", held);
        side.submit("job", 10, Duration.ofMillis(300));
        side.awaitTimes(when, 1);
        worker.close();
    }
}

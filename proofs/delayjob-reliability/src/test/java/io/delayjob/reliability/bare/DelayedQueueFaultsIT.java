package io.delayjob.reliability.bare;

import static io.delayjob.reliability.bare.Side.PATIENCE;
import static io.delayjob.reliability.bare.Side.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.node.Journal.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.client.RedisNoScriptException;

/** The faults of {@code RDelayedQueue}: of its timer, which lives in the clients, and of its script. */
@Tag("proof")
@Comparisons
class DelayedQueueFaultsIT {

    /** How long a job that is stuck is waited for: a transfer that fails is repeated after 5 s. */
    private static final Duration A_WHILE = Duration.ofSeconds(6);

    private static final int MOST_OFFERS = 5000;

    @Test
    void overwrittenTimer(Comparison comparison) throws InterruptedException {
        List<String> queues =
                IntStream.rangeClosed(1, 8).mapToObj(i -> "queue-" + i).toList();
        BareSide bare = comparison.on(queues).bare().start();
        int offers = 0;
        Outcome stalled;
        do {
            offers = jitter(bare, queues, offers, MOST_OFFERS);
            offerInPeace(bare, queues, offers);
            stalled = bare.outcome(A_WHILE);
        } while (stalled.stuck() == 0 && offers < MOST_OFFERS);
        assertThat(stalled.stuck()).isPositive();
        queues.forEach(bare::wake);

        assertThat(bare.outcome(PATIENCE).isComplete())
                .as("whether a message by hand wakes the queues")
                .isTrue();

        DelayJobSide delayjob = comparison.delayjob();
        jitter(delayjob, queues, 0, offers);
        offerInPeace(delayjob, queues, offers);
        comparison.tell(
                "8 queues with one far element each; near ones are offered while messages take 0 to 15 ms",
                stalled.words() + "; all of them come with a `PUBLISH` by hand",
                delayjob.outcome(PATIENCE).assertExact().wordsAndLateness(),
                "`QueueTransferTask` replaces its timer by a later one, when the reply to a transfer comes after the message of"
                        + " an offer (#1754, #1960, #5172, #6371, #6851)");
    }

    private static void offerInPeace(Side side, List<String> queues, int offers) {
        queues.forEach(queue -> side.submit(queue, "after-" + offers + "-" + queue, Duration.ZERO));
    }

    /** Offers until a job is overdue, or so many. */
    private static int jitter(Side side, List<String> queues, int from, int atMost) throws InterruptedException {
        Random random = new Random(from);
        side.proxy.delay(Duration.ZERO, Duration.ofMillis(15), random);
        queues.forEach(queue -> side.send(queue, "far-" + from + "-" + queue, Duration.ofMinutes(10)));
        int offers = from;
        while (offers < atMost && (offers % 10 != 0 || side.overdue(Duration.ofSeconds(3)) == 0)) {
            offers++;
            side.submit(queues.get(random.nextInt(queues.size())), "job-" + offers, Duration.ofMillis(40));
            TimeUnit.MILLISECONDS.sleep(random.nextInt(10));
        }
        side.proxy.delay(Duration.ZERO, Duration.ZERO, random);
        return offers;
    }

    @Test
    void lostSubscription(Comparison comparison) {
        BareSide bare = comparison.bare().start();
        Outcome without = refuseSubscription(bare, A_WHILE);
        Outcome ours = refuseSubscription(comparison.delayjob(), PATIENCE).assertExact();

        assertThat(bare.listening(QUEUE)).isZero();
        assertThat(without.stuck()).isEqualTo(10);
        comparison.tell(
                "subscribers are cut and reconnect while an ACL forbids channels; then they are allowed again; 10 jobs",
                without.words() + "; `PUBSUB NUMSUB` is 0",
                ours.wordsAndLateness(),
                "wake-ups come by pub/sub alone, and a `SUBSCRIBE` that is refused at a reconnect is not repeated (#5575,"
                        + " #4088, #5415)");
    }

    private static Outcome refuseSubscription(Side side, Duration patience) {
        side.submit("before", 1, Duration.ofMillis(100));
        side.awaitTimes(Kind.ENDED, 1);
        side.redis("ACL", "SETUSER", "default", "resetchannels");
        side.redis("CLIENT", "KILL", "TYPE", "pubsub");
        await().atMost(PATIENCE).until(() -> side.redis("ACL", "LOG").contains("channel"));
        side.redis("ACL", "SETUSER", "default", "allchannels");
        side.submit("job", 10, Duration.ofMillis(300));
        return side.outcome(patience);
    }

    @Test
    void halfOpenSubscription(Comparison comparison) {
        Outcome bare = loseMessages(comparison.bare().start(), A_WHILE);
        Outcome ours = loseMessages(comparison.delayjob(), PATIENCE).assertExact();

        assertThat(bare.stuck()).isEqualTo(10);
        comparison.tell(
                "the connection with the subscription dies in silence; 10 jobs",
                bare,
                ours,
                "wake-ups come by pub/sub alone; a dead connection is noticed by its ping, after 30 to 60 s (#5575)");
    }

    private static Outcome loseMessages(Side side, Duration patience) {
        side.submit("before", 1, Duration.ofMillis(100));
        side.awaitTimes(Kind.ENDED, 1);
        side.proxy.halfClose("redisson_delay_queue_channel");
        side.submit("job", 10, Duration.ofMillis(300));
        return side.outcome(patience);
    }

    @Test
    void destroyedHandle(Comparison comparison) {
        Side taker = comparison.bare().take();
        Outcome bare = submitAndLeave(taker, A_WHILE);
        Outcome ours = submitAndLeave(comparison.delayjob(), PATIENCE).assertExact();

        assertThat(bare.stuck()).isEqualTo(10);
        comparison.tell(
                "a program submits 10 jobs, destroys its `RDelayedQueue` as told, and ends; another one takes",
                bare,
                ours,
                "only a client with an `RDelayedQueue` object moves what is due (#3979, #3835, #4481, #3720)");
    }

    private static Outcome submitAndLeave(Side side, Duration patience) {
        // Not due before the program has left.
        side.submitAndLeave("job", 10, Duration.ofSeconds(10));
        return side.outcome(patience);
    }

    @Test
    void poisonElement(Comparison comparison) {
        BareSide side = comparison.bare().start();
        poison(side);
        side.awaitTimes(Kind.ENDED, 6);
        Outcome bare = side.outcome(Duration.ofMillis(100));
        DelayJobSide delayjob = comparison.delayjob();
        String soon = Long.toString(System.currentTimeMillis() + 1000);
        delayjob.redis("ZADD", DelayJobSide.key(QUEUE, "waiting"), soon, "poison");
        poison(delayjob);
        Outcome ours = delayjob.outcome(PATIENCE).assertExact();

        assertThat(bare.stuck()).isEqualTo(3);
        assertThat(bare.repeated()).isGreaterThanOrEqualTo(3);
        assertThat(delayjob.dead()).containsExactly("poison");
        comparison.tell(
                "an element that is none, between 3 jobs and 3 jobs; for delayjob also an id without a job",
                bare.words() + ", and again every 5 s",
                ours.wordsAndLateness() + "; the id is dead, with the reason",
                "the transfer script fails at the element, after it has moved those before it; Redis takes nothing back (#5595,"
                        + " #5040, #3989, #5245)");
    }

    /** Adds an invalid element; the jobs before it are due at the same moment, so that one call of the script meets all of them. */
    private static void poison(Side side) {
        long due = System.currentTimeMillis() + 4000;
        for (String id : Side.ids("before", 3)) {
            side.submitAt(due, id);
        }
        String last = side.redis("ZRANGE", side.timeouts(QUEUE), "-1", "-1", "WITHSCORES");
        String score = last.isEmpty() ? Long.toString(due) : last.substring(last.lastIndexOf('\n') + 1);
        side.redis("ZADD", side.timeouts(QUEUE), score, "x");
        side.submit("behind", 3, Duration.ofMillis(4200));
    }

    @Test
    void ambiguousOffer(Comparison comparison) {
        BareSide side = comparison.bare().start();
        loseRepliesToOffers(side);
        // The last of them may be in the taker's hands, and in no list.
        side.awaitTimes(Kind.ENDED, 13);
        Outcome bare = side.outcome(A_WHILE);
        DelayJobSide delayjob = comparison.delayjob();
        loseRepliesToOffers(delayjob);
        Outcome ours = delayjob.outcome(PATIENCE).assertExact();

        assertThat(bare.run()).isEqualTo(bare.submitted());
        assertThat(bare.repeated()).isEqualTo(3);
        comparison.tell(
                "the replies to 3 of 10 offers are lost; callers repeat what failed",
                bare,
                ours,
                "an element has no id: a repeat is another element (#3459)");
    }

    private static void loseRepliesToOffers(Side side) {
        side.submit("job", 7, Duration.ofMillis(300));
        for (String id : Side.ids("unsure", 3)) {
            CompletableFuture<Void> lost = side.loseReplies(id.substring(0, id.length() - 1), 1);
            submitUntilItSucceeds(side, id);
            lost.join();
        }
    }

    private static void submitUntilItSucceeds(Side side, String id) {
        try {
            side.submit(QUEUE, id, Duration.ofMillis(300));
        } catch (RuntimeException e) {
            submitUntilItSucceeds(side, id);
        }
    }

    @Test
    void skewedClientClock(Comparison comparison) {
        Outcome bare = hurry(comparison.bare().open(), A_WHILE);
        Outcome ours =
                hurry(comparison.delayjob(DelayJobSide.SUBMITS_ONLY), PATIENCE).assertExact();

        assertThat(bare.early()).isEqualTo(10);
        comparison.tell(
                "the worker's clock is 10 min fast, its submitter's is right; 10 jobs with a delay of 5 s",
                bare,
                ours,
                "due times and \"now\" are those of clients (#2530, #2997)");
    }

    private static Outcome hurry(Side side, Duration patience) {
        NodeProcess unused = side.launch("fast", "-Dnode.skew=PT10M");
        side.submit("job", 10, Duration.ofSeconds(5));
        return side.outcome(patience);
    }

    @Test
    void scriptFlush(Comparison comparison) {
        BareSide side = comparison.bare().start();
        String sha = side.loadScript();
        Outcome bare = flushScripts(side, A_WHILE);
        Outcome ours = flushScripts(comparison.delayjob(), PATIENCE).assertExact();

        assertThat(bare.refused()).isEqualTo(10);
        assertThatExceptionOfType(RedisNoScriptException.class).isThrownBy(() -> side.push(sha, "by-sha"));
        comparison.tell(
                "10 jobs in one go, `SCRIPT FLUSH`, 10 jobs in two goes, each tried 3 times",
                bare.words() + "; `RScript.evalSha` fails, too",
                ours.wordsAndLateness(),
                "an `RBatch` sends `EVALSHA`, trusts what it remembers of the server, and does not send the text again");
    }

    private static Outcome flushScripts(Side side, Duration patience) {
        side.submitAll(Side.ids("before", 10));
        side.redis("SCRIPT", "FLUSH");
        submitAllIn3Tries(side, Side.ids("after", 5));
        submitAllIn3Tries(side, Side.ids("later", 5));
        return side.outcome(patience);
    }

    private static void submitAllIn3Tries(Side side, List<String> ids) {
        for (int i = 0; i < 3; i++) {
            try {
                side.submitAll(ids);
                return;
            } catch (RuntimeException e) {
                // Tries again, like a caller.
            }
        }
    }
}

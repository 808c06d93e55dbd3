package io.delayjob.engine.internal.administering;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.Explanation;
import io.delayjob.Explanation.Reason;
import io.delayjob.NodeSnapshot;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.memory.MemoryBackend;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Explanations of a job that workers elsewhere may claim. */
class ExplainerTest {

    private static final Duration ANY = Duration.ofSeconds(30);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final MemoryBackend backend = new MemoryBackend(clock::get);
    private final Ledger ledger = backend.ledger(new ShardId("q", 0), Retention.NONE, Replication.NONE);
    private final AsyncAdmin admin = new AsyncAdmin(
            new Queues(backend, TestSettings.node("q", TestSettings.defaults(), ANY), queue -> true, scheduler),
            Extensions.NONE,
            Duration.ZERO,
            Runnable::run);

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    private void submit() {
        submit("\"job\":\"resize\",\"param\":1}");
    }

    private void submit(String record) {
        NewJob job = new NewJob("a", new NewJob.Due(0, true), JobContent.of(record));
        ledger.submit(new Call("lane", 1), List.of(job)).join();
    }

    private void feed(String node, int workers, int free, Collection<String> jobs) {
        ledger.feed(TestSettings.feed(new Feed.Presence(node, 60_000, workers, free, jobs)))
                .join();
    }

    private Explanation explain() {
        return admin.explain("q", "a").join();
    }

    private void assertExplained(Reason reason, String text) {
        assertThat(explain()).returns(reason, Explanation::reason).returns("job 'a': " + text, Explanation::text);
    }

    @Test
    void withoutNodesAndClaimsThereIsNobody() {
        submit();
        assertExplained(
                Reason.NO_CONSUMER,
                "no live node consumes queue 'q', and no worker elsewhere has claimed there for a minute");
    }

    @Test
    void aFullFlowLogIsInItsWayUntilItIsRead() {
        submit();
        feed("n", 1, 1, Set.of("resize"));
        ledger.flow(new Flow.Request(null, 0, 2)).join();
        assertThat(explain().reason()).isEqualTo(Reason.ABOUT_TO_RUN);
        ledger.flow(new Flow.Request(null, 0, 1)).join();
        assertExplained(
                Reason.JOURNAL_FULL,
                "no jobs of queue 'q' are handed out: the flow log of the queue is full: 1 entries wait to be written to its"
                        + " journal, and at most 1 may. Bring the journal's database back, or raise"
                        + " delayjob.journal.max-flow-entries");
    }

    @Test
    void aClaimThatWaitsGetsIt() {
        submit();
        feed("n~claims", 3, 2, Feed.Presence.ANY_JOB);
        assertExplained(Reason.ABOUT_TO_RUN, "nothing is in its way: it is claimed by the next look of n~claims");
        assertThat(admin.nodes("q").join()).containsExactly(new NodeSnapshot("n~claims", 3, 2, Set.of("*")));
    }

    @Test
    void itWaitsForTheNextClaim() {
        submit();
        feed("n~claims", 0, 0, Feed.Presence.ANY_JOB);
        assertExplained(Reason.WORKERS_BUSY, "no worker elsewhere waits for a job: no claim waits on n~claims");
    }

    @Test
    void aBusyQueueLetsOthersOfAHigherPriorityBeginFirst() {
        submit("\"job\":\"resize\",\"priority\":2,\"param\":1}");
        feed("node", 16, 0, Set.of("resize"));
        assertExplained(
                Reason.WORKERS_BUSY,
                "all workers are busy: 16 on node; of due jobs, those of a higher priority than its own, 2, begin first unless it"
                        + " has waited for longer");
    }

    @Test
    void itWaitsForAClaimBesideNodesThatCannotRunItOrAreBusy() {
        submit();
        feed("cannot", 16, 16, Set.of("mail"));
        feed("n~claims", 0, 0, Feed.Presence.ANY_JOB);
        assertExplained(
                Reason.WORKERS_BUSY,
                "it waits for a node with its handler, which is n~claims; no worker elsewhere waits for a job: no claim"
                        + " waits on n~claims");
        feed("cannot", 16, 0, Set.of("resize"));
        assertExplained(Reason.WORKERS_BUSY, "all workers are busy: 16 on cannot, no claim waits on n~claims");
    }

    @Test
    void aWorkerElsewhereHasIt() {
        submit();
        feed("n~claims", 0, 0, Feed.Presence.ANY_JOB);
        ledger.claim(new Call("claim", 1), new ClaimRequest("n~claims", 1, 5000, "r"))
                .join();
        assertThat(explain().reason()).isEqualTo(Reason.RUNNING);
        assertThat(explain().text())
                .startsWith("job 'a': attempt 1 runs on a worker elsewhere, which claimed it on node n since 1970-");
    }

    @Test
    void anUnreadableJobWhoseLeaseRanOutIsExplainedToo() {
        NewJob job = new NewJob("a", new NewJob.Due(0, true), JobContent.of("garbage"));
        ledger.submit(new Call("lane", 1), List.of(job)).join();
        ledger.claim(new Call("claim", 1), new ClaimRequest("n", 1, 5000, "r")).join();
        clock.addAndGet(6000);
        feed("n", 1, 1, Set.of("mail"));
        assertThat(explain().reason()).isEqualTo(Reason.NO_HANDLER);
    }
}

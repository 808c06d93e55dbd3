package io.delayjob.engine.ledger;

import io.delayjob.ActionResult;
import io.delayjob.Dedupe;
import io.delayjob.Progress;
import io.delayjob.SubmitResult;
import io.delayjob.engine.ledger.Backend.Notice;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A shard of its own for each test, whatever it is kept in, and short words for the steps. */
public abstract class LedgerFixture {

    /** Where the clock begins. */
    protected static final long START = 1_700_000_000_000L;

    /** The queue's lease. */
    protected static final long LEASE = 30_000;

    /** The rest of each job's record, after its opening fields. */
    protected static final String BODY = "\"job\":\"j\",\"param\":1}";

    /** It keeps nothing of finished jobs. */
    @SuppressWarnings("NullAway.Init")
    protected Ledger ledger;

    private long number;

    /** The test's shard. */
    protected abstract TestedLedger underTest();

    @BeforeEach
    void open() {
        setClock(START);
        ledger = open(Retention.NONE);
    }

    @AfterEach
    void close() {
        underTest().close();
    }

    /** Opens the test's shard. */
    protected final Ledger open(Retention retention) {
        return underTest().ledger(retention);
    }

    /** Sets the ledger's clock. */
    protected final void setClock(long millis) {
        underTest().setClock(millis);
    }

    /** Hears what nodes are told; returns when it does. */
    protected final Backend.Subscription onNotice(Consumer<Notice> listener) {
        return underTest().onNotice(listener);
    }

    /** Which shard that is. */
    protected final ShardId shard() {
        return underTest().id();
    }

    /** Sets the clock so many ms behind its start. */
    protected final void time(long sinceStart) {
        setClock(START + sinceStart);
    }

    protected final Call call() {
        return new Call("lane", ++number);
    }

    protected static NewJob job(String id, long delay) {
        return new NewJob(id, new NewJob.Due(delay, true), JobContent.of(BODY));
    }

    protected static NewJob job(String id, long delay, int priority) {
        return new NewJob(id, new NewJob.Due(delay, true), JobContent.of(BODY).withPriority(priority));
    }

    protected static NewJob job(String id, long delay, @Nullable Dedupe dedupe) {
        return new NewJob(id, new NewJob.Due(delay, true), new JobContent(BODY, null, dedupe));
    }

    protected static NewJob named(String id, long delay, String name) {
        return new NewJob(id, new NewJob.Due(delay, true), JobContent.of("\"job\":\"" + name + "\",\"param\":1}"));
    }

    protected static NewJob leased(String id, long delay, long lease) {
        return new NewJob(id, new NewJob.Due(delay, true), new JobContent(BODY, lease, null));
    }

    protected final List<SubmitResult> submit(NewJob... jobs) {
        return ledger.submit(call(), List.of(jobs)).join();
    }

    protected final SubmitResult submit(String id, long delay, @Nullable Dedupe dedupe) {
        return submit(job(id, delay, dedupe)).get(0);
    }

    protected final SubmitResult result(String id, SubmitResult.Outcome outcome) {
        return new SubmitResult(shard().queue(), id, outcome);
    }

    protected final Claimed claim(int limit) {
        Call call = call();
        return ledger.claim(call, new ClaimRequest("n", limit, LEASE, "r" + call.number()))
                .join();
    }

    protected final Claimed.Job claimJob() {
        return claim(1).jobs().get(0);
    }

    protected final Lease claimOne() {
        return claimJob().lease();
    }

    protected final boolean complete(Lease lease) {
        return complete(lease, null);
    }

    protected final boolean complete(Lease lease, @Nullable String result) {
        return one(ledger.settle(call(), List.of(new Settlement.Complete(lease, result, 0))));
    }

    protected final boolean retry(Lease lease, long backoff) {
        return one(ledger.settle(call(), List.of(new Settlement.Retry(lease, backoff, "broke"))));
    }

    protected final boolean bury(Lease lease) {
        return one(ledger.settle(call(), List.of(new Settlement.Bury(lease, "hopeless", true))));
    }

    protected final boolean release(Lease lease, @Nullable Long noHandlerMillis) {
        return one(ledger.settle(call(), List.of(new Settlement.Release(lease, noHandlerMillis, null))));
    }

    /** Gives a job back whose attempt had begun. */
    protected final boolean releaseBegun(Lease lease) {
        return one(ledger.settle(call(), List.of(new Settlement.Release(lease, null, null, null, null, true))));
    }

    protected final boolean renew(Lease lease, long millis) {
        return one(ledger.renew(List.of(new Ledger.Renewal(lease, millis))));
    }

    protected final boolean report(Lease lease, int percent, String text) {
        return one(ledger.report(List.of(new Ledger.Report(lease, new Progress(percent, text)))));
    }

    protected final ActionResult cancel(String id) {
        return one(ledger.cancel(call(), List.of(id)));
    }

    protected final ActionResult reschedule(String id, long delay) {
        return one(ledger.reschedule(call(), List.of(new Ledger.Rescheduled(id, delay))));
    }

    protected final ActionResult redrive(String id) {
        return one(ledger.redrive(call(), List.of(id)));
    }

    private static <A> A one(CompletableFuture<List<A>> answers) {
        return answers.join().get(0);
    }

    protected final Optional<StoredJob> find(String id) {
        return ledger.find(id).join();
    }

    protected final StoredJob found(String id) {
        return find(id).orElseThrow();
    }

    /** Submits a job and brings it to its death. */
    protected final void bringToDeath(String id, @Nullable Dedupe dedupe) {
        submit(id, 0, dedupe);
        bury(claimOne());
    }

    protected static Retention keeping(long millis, int count) {
        return new Retention(Duration.ofMillis(millis), count);
    }
}

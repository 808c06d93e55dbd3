package io.delayjob.client;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Claims jobs from a delayjob server over HTTP, and settles them. Thread-safe.
 *
 * <p>What {@link DelayJobClaims} says holds; where that speaks of Redis, the server is asked. A claim of {@link #claimAsync} that waits
 * takes a connection, but no thread. If it is cancelled, its request ends, and the server gives back what it claimed for it; jobs that arrive at that very moment
 * are given back from here.
 *
 * <p>A claim or settlement whose request may have been lost, or whose answer was, is repeated: a claim until {@link
 * HttpDelayJobSettings#timeout} after the end of its wait, a settlement within that timeout. So {@code false} for a settlement may also
 * mean that an earlier try was applied.
 *
 * <p>Jobs of a lost answer are returned by the repeat only if the claim has an {@link JobClaim#id}; else they wait until their leases
 * end, and that attempt is counted. Claims get no id here by themselves, because one costs each claim something, and lost answers are
 * rare: a claim with an id returns at most 200 jobs, all of one shard; it asks every shard of its queues twice, even if other claims
 * wait there already; and it leaves a key in Redis for ten minutes. A worker whose jobs must not lose an attempt, such as those that
 * have only one, gives each claim a new id with {@link JobClaim#withId}.
 */
public final class HttpDelayJobClaims implements DelayJobClaims {

    private static final int MOST_SETTLEMENTS = 1000;

    private final HttpDelayJobSettings settings;

    /**
     * Claims from a server. Nothing is asked until the first claim.
     *
     * @param settings where the server is
     */
    public HttpDelayJobClaims(HttpDelayJobSettings settings) {
        this.settings = Checks.notNull(settings, "settings");
    }

    /** {@inheritDoc} */
    @Override
    public CompletableFuture<List<ClaimedJob>> claimAsync(JobClaim claim) {
        return call(Checks.notNull(claim, "claim")).beginWithoutThread();
    }

    /** The call of a claim, not begun. */
    Call<List<ClaimedJob>> call(JobClaim claim) {
        long begun = System.nanoTime();
        Call.Request<List<ClaimedJob>> request = new Call.Request<>(
                "/claims",
                Map.of(),
                () -> Json.bytes(Json.Claim.of(claim, left(claim.maxWait(), begun))),
                HttpDelayJobClaims::jobs,
                claim.maxWait().plus(settings.timeout()),
                this::giveBack);
        return new Call<>(settings, request, begun);
    }

    private static Duration left(Duration wait, long begunNanos) {
        Duration left = wait.minusNanos(System.nanoTime() - begunNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private static List<ClaimedJob> jobs(byte[] answer) {
        return Json.read(answer, Json.Claimed.class).claimed();
    }

    /** Gives jobs back unspent. If that fails, they run when their leases end. */
    CompletableFuture<List<Boolean>> giveBack(List<ClaimedJob> jobs) {
        return settleAsync(jobs.stream()
                .map(job -> new JobSettlement.Release(job.handle()))
                .toList());
    }

    @Override
    public List<ClaimedJob> claim(JobClaim claim) throws InterruptedException {
        CompletableFuture<List<ClaimedJob>> answer =
                call(Checks.notNull(claim, "claim")).begin();
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw CallException.thrown(e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            answer.thenAccept(this::giveBack);
            throw e;
        }
    }

    @Override
    public CompletableFuture<List<Boolean>> settleAsync(List<? extends JobSettlement> settlements) {
        int size = Checks.notNull(settlements, "settlements").size();
        if (size > MOST_SETTLEMENTS) {
            throw new IllegalArgumentException(
                    "at most " + MOST_SETTLEMENTS + " settlements fit into one call: " + size);
        }
        return size == 0
                ? CompletableFuture.completedFuture(List.of())
                : settlement(settlements, null).begin();
    }

    /**
     * The call of 1 to 1000 settlements, not begun.
     *
     * @param firstTry how long each of its first tries may take; null for no such limit
     */
    Call<List<Boolean>> settlement(List<? extends JobSettlement> settlements, @Nullable Duration firstTry) {
        int size = settlements.size();
        byte[] body = Json.settlements(settlements);
        Call.Request<List<Boolean>> request = new Call.Request<>(
                "POST",
                "/settlements",
                Map.of(),
                () -> body,
                answer -> Json.read(answer, Json.Settled.class).of(size),
                settings.timeout(),
                firstTry,
                unwanted -> {});
        return new Call<>(settings, request, System.nanoTime());
    }

    @Override
    public List<Boolean> settle(List<? extends JobSettlement> settlements) {
        return CallException.await(settleAsync(settlements));
    }
}

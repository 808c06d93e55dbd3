package io.delayjob.test;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.support.Checks;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The engine's claims, except that they wait by the virtual clock, and that settlements are answered when they return. */
final class TestClaims implements DelayJobClaims {

    private final HandClaims claims;

    TestClaims(HandClaims claims) {
        this.claims = claims;
    }

    @Override
    public CompletableFuture<List<ClaimedJob>> claimAsync(JobClaim claim) {
        return claims.claim(Checks.notNull(claim, "claim"));
    }

    /** Waits as long in real time at most: if the thread that is to move the clock waits here itself, nobody moves it. */
    @Override
    public List<ClaimedJob> claim(JobClaim claim) throws InterruptedException {
        CompletableFuture<List<ClaimedJob>> answer = claimAsync(claim);
        try {
            return answer.get(claim.maxWait().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return answer.cancel(true) ? List.of() : answer.join();
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** The ledger in memory answers at once, but callbacks run on another thread. */
    @Override
    public CompletableFuture<List<Boolean>> settleAsync(List<? extends JobSettlement> settlements) {
        CompletableFuture<List<Boolean>> answer = claims.settler().settleAsync(settlements);
        boolean unused = answer.handle((applied, failure) -> failure == null).join();
        return answer;
    }

    @Override
    public List<Boolean> settle(List<? extends JobSettlement> settlements) {
        return claims.settler().settle(settlements);
    }
}

package io.delayjob.server.internal.claims;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.delayjob.JobClaim;
import io.delayjob.server.web.Body;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A claim.
 *
 * @param queues the queues to claim from, those that come first preferred; only where the path names none
 * @param max the most jobs, 1 to 1000; 1 if left out
 * @param maxWait how long to wait for the first job, at most 60 s; not at all if left out
 * @param lease the lease of jobs that were submitted without one; that of their queue if left out
 * @param worker names the worker to those who look at its jobs
 * @param claimId the id of the claim, so that it can be repeated
 */
record ClaimBody(
        @Nullable List<String> queues,
        @Nullable Integer max,
        @JsonProperty("wait") @Nullable Duration maxWait,
        @Nullable Duration lease,
        @Nullable String worker,
        @Nullable String claimId)
        implements Body {

    JobClaim claim(List<String> from) {
        JobClaim claim =
                JobClaim.of(from).withMax(max == null ? 1 : max).withMaxWait(maxWait == null ? Duration.ZERO : maxWait);
        JobClaim leased = lease == null ? claim : claim.withLease(lease);
        JobClaim named = worker == null ? leased : leased.withWorker(worker);
        return claimId == null ? named : named.withId(claimId);
    }
}

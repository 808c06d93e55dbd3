package io.delayjob.engine.internal.records;

import io.delayjob.Backoff;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a job is, as stored in Redis and never changed. Options that are null are the queue's.
 *
 * @param job the name of the bean
 * @param submittedAtMillis the ledger's clock at submit
 * @param maxAttempts how often it is tried
 * @param backoff the wait between attempts
 * @param timeout how long one attempt may run
 * @param timeToLive how long after its due time it may begin
 * @param headers text that travels with it
 * @param param what the bean is given, as JSON
 */
public record JobRecord(
        String job,
        long submittedAtMillis,
        @Nullable Integer maxAttempts,
        @Nullable Backoff backoff,
        @Nullable Duration timeout,
        @Nullable Duration timeToLive,
        Map<String, String> headers,
        String param) {

    JobRecord withHeaders(Map<String, String> others) {
        return new JobRecord(job, submittedAtMillis, maxAttempts, backoff, timeout, timeToLive, others, param);
    }
}

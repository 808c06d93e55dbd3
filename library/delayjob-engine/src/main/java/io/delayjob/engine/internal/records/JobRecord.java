package io.delayjob.engine.internal.records;

import io.delayjob.Backoff;
import io.delayjob.JobOptions;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.ExceptionRules;
import java.util.Map;

/**
 * The parts of a record.
 *
 * @param job the name of its handler
 * @param submittedAtMillis the ledger's clock at the submit, in milliseconds since 1970
 * @param options the options of its request
 * @param headers the headers given at the submit
 * @param param the param of the handler, as JSON
 * @param marks its marks in the index of its queue, see {@link JobIndex}; empty for none
 */
public record JobRecord(
        String job,
        long submittedAtMillis,
        JobOptions options,
        Map<String, String> headers,
        String param,
        String marks) {

    /** How the job is tried, as its request says. */
    public AttemptPolicy attempts() {
        return new AttemptPolicy(
                options.maxAttempts(), options.backoff(), options.timeout(), options.timeToLive(), ExceptionRules.NONE);
    }

    /**
     * Its options as this node applies them. The backoff is null if it is computed by a bean.
     *
     * @param policy how the job is tried, by its request, its handler and its queue
     */
    public JobOptions optionsUnder(AttemptPolicy policy) {
        return new JobOptions(
                policy.maxAttempts(),
                policy.backoff() instanceof Backoff known ? known : null,
                options.lease(),
                policy.timeout(),
                policy.timeToLive(),
                options.priority(),
                options.key(),
                options.dedupe(),
                options.tags());
    }

    JobRecord withHeaders(Map<String, String> others) {
        return new JobRecord(job, submittedAtMillis, options, others, param, marks);
    }
}

package io.delayjob.engine.internal.records;

import io.delayjob.engine.settings.AttemptPolicy;
import java.util.Map;

/**
 * What a job is, as it is stored and never changed.
 *
 * @param job the name of the bean
 * @param submittedAtMillis the ledger's clock at submit
 * @param attempts how its request wants it to be tried
 * @param headers text that travels with it
 * @param param what the bean is given, as JSON
 */
public record JobRecord(
        String job, long submittedAtMillis, AttemptPolicy attempts, Map<String, String> headers, String param) {

    JobRecord withHeaders(Map<String, String> others) {
        return new JobRecord(job, submittedAtMillis, attempts, others, param);
    }
}

package io.delayjob.engine.internal.records;

import io.delayjob.engine.settings.AttemptPolicy;
import java.util.Map;

/**
 * The stored content of a job, which never changes.
 *
 * @param job the name of its handler
 * @param submittedAtMillis the ledger's clock at the submit, in milliseconds since 1970
 * @param attempts how the job is tried, as its request says
 * @param headers the headers given at the submit
 * @param param the param of the handler, as JSON
 */
public record JobRecord(
        String job, long submittedAtMillis, AttemptPolicy attempts, Map<String, String> headers, String param) {

    JobRecord withHeaders(Map<String, String> others) {
        return new JobRecord(job, submittedAtMillis, attempts, others, param);
    }
}

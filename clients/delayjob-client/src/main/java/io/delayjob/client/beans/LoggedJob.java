package io.delayjob.client.beans;

import io.delayjob.ClaimedJob;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Adds a job to the logging context (MDC) of its thread, and restores the previous context at the end. */
final class LoggedJob {

    private final @Nullable Map<String, String> before = MDC.getCopyOfContextMap();

    LoggedJob(ClaimedJob job) {
        MDC.put("delayjob.queue", job.queue());
        MDC.put("delayjob.id", job.id());
        MDC.put("delayjob.attempt", Integer.toString(job.attempt()));
    }

    /** Restores the context, which also drops what the job added to it. */
    void end() {
        MDC.setContextMap(before == null ? Map.of() : before);
    }
}

package io.delayjob.engine.internal.running;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Adds the job to the logging context (MDC) of its thread, and restores the previous context at the end. */
final class LoggedJob {

    private static final String QUEUE = "delayjob.queue";
    private static final String ID = "delayjob.id";
    private static final String ATTEMPT = "delayjob.attempt";

    private final @Nullable Map<String, String> before = MDC.getCopyOfContextMap();

    LoggedJob(String queue, Run run) {
        MDC.put(QUEUE, queue);
        MDC.put(ID, run.lease().id());
        MDC.put(ATTEMPT, Integer.toString(run.job().attempt().number()));
    }

    /** Restores the context, which also drops what the job added to it. */
    void end() {
        if (before == null || before.isEmpty()) {
            MDC.clear();
        } else {
            MDC.setContextMap(before);
        }
    }
}

package io.delayjob.engine.internal.running;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Names the job in what its thread logs, until that is ended; then the thread's context is what it was. */
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

    /** Also what the job left there is gone. */
    void end() {
        if (before == null || before.isEmpty()) {
            MDC.clear();
        } else {
            MDC.setContextMap(before);
        }
    }
}

package io.delayjob.client.beans;

import io.delayjob.AckMode;
import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobException;
import io.delayjob.NonRetryableException;
import io.delayjob.client.JobHandler;
import io.delayjob.client.WorkerJob;
import io.delayjob.engine.extension.Interceptors;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.settings.ConsumedQueue;
import io.delayjob.engine.settings.ExceptionRules;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the bean or listener that a claimed job is for. Thread-safe. */
final class WorkedJobs implements JobHandler {

    private static final Logger log = LoggerFactory.getLogger(WorkedJobs.class);

    private final HandlerRegistry registry;
    private final ParamCodec params;
    private final Interceptors interceptors;

    WorkedJobs(HandlerRegistry registry, ParamCodec params, Interceptors interceptors) {
        this.registry = registry;
        this.params = params;
        this.interceptors = interceptors;
    }

    /** The queues that the beans and listeners name, sorted. */
    Set<String> queues() {
        registry.check();
        Set<String> named = new TreeSet<>();
        registry.consumed().stream()
                .map(ConsumedQueue::queue)
                .filter(Objects::nonNull)
                .forEach(named::add);
        return named;
    }

    /** The names of the jobs that run here, sorted. */
    Set<String> names() {
        return registry.names();
    }

    @Override
    public void run(WorkerJob work) throws Exception {
        ClaimedJob job = work.claimed();
        LoggedJob logged = new LoggedJob(job);
        try {
            run(work, handler(job));
        } finally {
            logged.end();
        }
    }

    private Handler handler(ClaimedJob job) {
        return registry.named(job.topic())
                .orElseThrow(() -> new DelayJobException(
                        "no bean or listener of this application runs jobs of '" + job.topic() + "'; there are "
                                + registry.names(),
                        null));
    }

    private void run(WorkerJob work, Handler handler) throws Exception {
        WorkedExecution execution = new WorkedExecution(work, param(work.claimed(), handler), params);
        WorkedAcknowledgment acknowledgment = new WorkedAcknowledgment(work, execution);
        if (handler.ackMode() == AckMode.MANUAL) {
            work.settleByHand();
        }
        try {
            interceptors.execute(execution, () -> handler.work().execute(execution, acknowledgment));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | LinkageError | StackOverflowError e) {
            failed(handler, work.claimed(), e);
        }
        String result = execution.result();
        if (result != null) {
            work.result(result);
        }
    }

    /** A param that does not bind never will. */
    private @Nullable Object param(ClaimedJob job, Handler handler) {
        try {
            return params.read(handler, job.param());
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            throw new NonRetryableException(
                    "the param does not bind to " + handler.paramType().toCanonical() + " of " + handler.label(), e);
        }
    }

    /** Throws what the server is told, unless the failure counts for nothing. */
    private static void failed(Handler handler, ClaimedJob job, Throwable failure) throws Exception {
        log.warn("attempt {} of job '{}' of {} failed", job.attempt(), job.id(), handler.label(), failure);
        if (handler.ackMode() == AckMode.ALWAYS) {
            return;
        }
        boolean retried =
                handler.attempts().exceptions().over(ExceptionRules.BASE).retries(failure);
        if (!retried && !(failure instanceof NonRetryableException)) {
            throw new NonRetryableException(handler.label() + " is not retried after this", failure);
        } else if (failure instanceof Exception e && !(retried && e instanceof NonRetryableException)) {
            throw e;
        }
        throw new DelayJobException(handler.label() + " failed", failure);
    }
}

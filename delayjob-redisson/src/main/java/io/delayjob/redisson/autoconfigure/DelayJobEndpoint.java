package io.delayjob.redisson.autoconfigure;

import io.delayjob.ActionResult;
import io.delayjob.DelayJobAdmin;
import io.delayjob.Explanation;
import io.delayjob.JobQuery;
import io.delayjob.JobState;
import io.delayjob.redisson.autoconfigure.EndpointDescriptors.ExplanationDescriptor;
import io.delayjob.redisson.autoconfigure.EndpointDescriptors.FleetDescriptor;
import io.delayjob.redisson.autoconfigure.EndpointDescriptors.HereDescriptor;
import io.delayjob.redisson.autoconfigure.EndpointDescriptors.JobActionDescriptor;
import io.delayjob.redisson.autoconfigure.EndpointDescriptors.JobDescriptor;
import io.delayjob.redisson.autoconfigure.EndpointDescriptors.NodeDescriptor;
import io.delayjob.redisson.autoconfigure.EndpointDescriptors.QueueActionDescriptor;
import io.delayjob.redisson.autoconfigure.EndpointDescriptors.QueueDescriptor;
import io.delayjob.redisson.internal.engine.DelayJobEngine;
import io.delayjob.redisson.internal.engine.EngineSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * Shows the queues and their jobs, and acts on them. It only shows, unless the application says
 * {@code management.endpoint.delayjob.access=unrestricted}.
 */
@Endpoint(id = "delayjob", defaultAccess = Access.READ_ONLY)
final class DelayJobEndpoint {

    /** How long the overview waits for Redis. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final int MOST_RUNNING = 100;
    private static final int MOST_AT_ONCE = 1000;

    private final DelayJobEngine engine;
    private final DelayJobAdmin admin;
    private final EngineSettings settings;
    private final QueueLooks looks;

    /** What can be done to a queue. */
    enum QueueAction {
        /** Stops the fleet from claiming its jobs. */
        PAUSE,
        /** Lets the fleet claim them again. */
        RESUME,
        /** Gives dead jobs another chance. */
        REDRIVE,
        /** Removes dead jobs for good. */
        PURGE
    }

    /** What can be done to a job. */
    enum JobAction {
        /** Calls it off. */
        CANCEL,
        /** Gives it another due time. */
        RESCHEDULE,
        /** Makes it due now. */
        RUN_NOW,
        /** Gives it another chance, if it is dead. */
        REDRIVE
    }

    DelayJobEndpoint(DelayJobEngine engine, DelayJobAdmin admin, EngineSettings settings) {
        this.engine = engine;
        this.admin = admin;
        this.settings = settings;
        this.looks = QueueLooks.atJobs(engine);
    }

    /** This node, and the queues it is for. */
    @ReadOperation
    NodeDescriptor node() {
        Map<String, QueueDescriptor> queues = new LinkedHashMap<>();
        looks.look(engine.queueNames(), PATIENCE)
                .forEach(look -> queues.put(look.queue(), QueueDescriptor.of(look, here(look.queue()))));
        return new NodeDescriptor(settings.node(), settings.consume(), queues);
    }

    private @Nullable HereDescriptor here(String queue) {
        return engine.vitals(queue)
                .map(vitals -> HereDescriptor.of(vitals, engine.troubles(queue)))
                .orElse(null);
    }

    /** A queue in the whole fleet. */
    @ReadOperation
    FleetDescriptor queue(@Selector String queue) {
        return checked(() -> new FleetDescriptor(queue, admin.counts(queue), admin.nodes(queue), running(queue)));
    }

    private List<JobDescriptor> running(String queue) {
        JobQuery running = JobQuery.of(queue, JobState.RESERVED).withLimit(MOST_RUNNING);
        return admin.list(running).jobs().stream().map(JobDescriptor::of).toList();
    }

    /** Why a job is not running; null if there is no such job. */
    @ReadOperation
    @Nullable ExplanationDescriptor explain(@Selector String queue, @Selector String id) {
        Explanation explanation = checked(() -> admin.explain(queue, id));
        return explanation.job() == null
                ? null
                : new ExplanationDescriptor(
                        explanation.reason(), explanation.text(), JobDescriptor.of(explanation.job()));
    }

    /**
     * Acts on a queue.
     *
     * @param limit of how many jobs at most; 1000 if not given
     * @param perSecond at what rate dead jobs are redriven; at once if not given
     * @param olderThan how long jobs that are purged have been dead at least; must be given
     */
    @WriteOperation
    QueueActionDescriptor act(
            @Selector String queue,
            QueueAction action,
            @Nullable Integer limit,
            @Nullable Integer perSecond,
            @Nullable Duration olderThan) {
        int most = limit == null ? MOST_AT_ONCE : limit;
        return new QueueActionDescriptor(
                queue,
                action,
                switch (action) {
                    case PAUSE -> done(() -> admin.pause(queue));
                    case RESUME -> done(() -> admin.resume(queue));
                    case REDRIVE -> checked(() -> redrive(queue, most, perSecond));
                    case PURGE -> checked(() -> admin.purgeDead(queue, given(olderThan, "olderThan"), most));
                });
    }

    private static @Nullable Integer done(Runnable action) {
        checked(() -> {
            action.run();
            return true;
        });
        return null;
    }

    private int redrive(String queue, int limit, @Nullable Integer perSecond) {
        return perSecond == null ? admin.redriveAll(queue, limit) : admin.redriveAll(queue, limit, perSecond);
    }

    /**
     * Acts on a job; null if there is no such job.
     *
     * @param delay from now until a job that is rescheduled is due; must be given
     */
    @WriteOperation
    @Nullable JobActionDescriptor act(@Selector String queue, @Selector String id, JobAction action, @Nullable Duration delay) {
        ActionResult result = checked(() -> switch (action) {
            case CANCEL -> admin.cancel(queue, id);
            case RESCHEDULE -> admin.reschedule(queue, id, given(delay, "delay"));
            case RUN_NOW -> admin.runNow(queue, id);
            case REDRIVE -> admin.redrive(queue, id);
        });
        return JobActionDescriptor.of(result);
    }

    private static Duration given(@Nullable Duration value, String name) {
        if (value == null) {
            throw new IllegalArgumentException(name + " must be given, as in PT10M or 10m");
        }
        return value;
    }

    /** What the caller did wrong is answered as such. */
    private static <R> R checked(Supplier<R> call) {
        try {
            return call.get();
        } catch (IllegalArgumentException e) {
            throw new InvalidEndpointRequestException(
                    String.valueOf(e.getMessage()), String.valueOf(e.getMessage()), e);
        }
    }
}

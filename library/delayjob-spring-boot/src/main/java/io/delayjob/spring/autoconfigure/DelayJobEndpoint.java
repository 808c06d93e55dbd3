package io.delayjob.spring.autoconfigure;

import io.delayjob.ActionResult;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobLimits;
import io.delayjob.Explanation;
import io.delayjob.JobPage;
import io.delayjob.JobQuery;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.QueueCounts;
import io.delayjob.TooManyKeysException;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.ErrorDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.ExplanationDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.FleetDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.HereDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.JobActionDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.JobDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.KeysDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.LimitsDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.NodeDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.PageDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.QueueActionDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.QueueDescriptor;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Shows the queues and their jobs, and acts on them. It only shows, unless the application says
 * {@code management.endpoint.delayjob.access=unrestricted}.
 */
@Endpoint(id = "delayjob", defaultAccess = Access.READ_ONLY)
final class DelayJobEndpoint {

    /** How long the overview waits for Redis. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** To find the queues that no node runs, each queue is asked for. */
    private static final Duration UNCONSUMED_KEPT = Duration.ofMinutes(1);

    private static final int MOST_LISTED = 100;
    private static final int MOST_AT_ONCE = 1000;

    private final DelayJobEngine engine;
    private final DelayJobAdmin admin;
    private final EngineSettings settings;
    private final QueueLooks looks;
    private final RecentAnswer<Map<String, QueueCounts>> unconsumed;

    /** Actions on a queue. The first two may also be on one key. */
    enum QueueAction {
        /** Stops the fleet from claiming its jobs, or those of the key. */
        PAUSE,
        /** Lets the fleet claim them again. */
        RESUME,
        /** Gives dead jobs another chance. */
        REDRIVE,
        /** Removes dead jobs for good. */
        PURGE
    }

    /** Actions on a job. */
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
        this.unconsumed = new RecentAnswer<>(() -> engine.asyncAdmin().unconsumedQueues(), UNCONSUMED_KEPT);
    }

    /** This node, the queues it is for, and those that no node runs. */
    @ReadOperation
    NodeDescriptor node() {
        CompletableFuture<Map<String, QueueCounts>> idle =
                unconsumed.get().copy().orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        Map<String, QueueDescriptor> queues = new LinkedHashMap<>();
        looks.look(engine.queueNames(), PATIENCE)
                .forEach(look -> queues.put(look.queue(), QueueDescriptor.of(look, here(look.queue()))));
        return new NodeDescriptor(
                settings.node(),
                settings.consuming().enabled(),
                queues,
                idle.handle((found, failure) -> found).join());
    }

    private @Nullable HereDescriptor here(String queue) {
        return engine.vitals(queue)
                .map(vitals -> new HereDescriptor(vitals.workers(), vitals.free(), engine.faults(queue)))
                .orElse(null);
    }

    /**
     * A queue in the whole fleet, or its jobs of a state, page by page.
     *
     * @param state of which state; the queue itself if not given
     * @param limit how many jobs at most, 1 to 1000; 100 if not given
     * @param cursor where the page begins: {@code next} of the one before
     */
    @ReadOperation
    WebEndpointResponse<Object> queue(
            @Selector String queue, @Nullable String state, @Nullable String limit, @Nullable String cursor) {
        return answer(() ->
                state == null && limit == null && cursor == null ? fleet(queue) : page(queue, state, limit, cursor));
    }

    private FleetDescriptor fleet(String queue) {
        JobPage running = admin.list(JobQuery.of(queue, JobState.RESERVED).withLimit(MOST_LISTED));
        DelayJobLimits limits = admin.limits(queue);
        return new FleetDescriptor(
                queue,
                admin.counts(queue),
                LimitsDescriptor.of(limits),
                KeysDescriptor.of(limits),
                admin.nodes(queue),
                JobDescriptor.of(running));
    }

    private PageDescriptor page(String queue, @Nullable String state, @Nullable String limit, @Nullable String cursor) {
        JobPage page = admin.list(JobQuery.of(queue, EndpointValues.word(JobState.class, "state", state))
                .withLimit(EndpointValues.number("limit", limit, MOST_LISTED))
                .after(cursor));
        return new PageDescriptor(JobDescriptor.of(page), page.next());
    }

    /** Why a job is not running. */
    @ReadOperation
    WebEndpointResponse<Object> explain(@Selector String queue, @Selector String id) {
        return answer(() -> {
            Explanation explanation = admin.explain(queue, id);
            JobSnapshot job = known(queue, id, explanation.job());
            return new ExplanationDescriptor(explanation.reason(), explanation.text(), JobDescriptor.of(job));
        });
    }

    /**
     * Acts on a queue, or on one key of it.
     *
     * @param action a {@link QueueAction}
     * @param key the key to pause or to resume, of 1 to 128 characters; the whole queue if not given
     * @param limit of how many jobs at most; 1000 if not given
     * @param perSecond at what rate dead jobs are redriven; at once if not given
     * @param olderThan how long jobs that are purged have been dead at least; must be given
     */
    @WriteOperation
    WebEndpointResponse<Object> act(
            @Selector String queue,
            @Nullable String action,
            @Nullable String key,
            @Nullable String limit,
            @Nullable String perSecond,
            @Nullable String olderThan) {
        return answer(() -> {
            QueueAction wanted = EndpointValues.word(QueueAction.class, "action", action);
            if (key != null) {
                return onKey(queue, key, wanted);
            }
            int most = EndpointValues.number("limit", limit, MOST_AT_ONCE);
            Integer jobs = switch (wanted) {
                case PAUSE -> done(() -> admin.pause(queue));
                case RESUME -> done(() -> admin.resume(queue));
                case REDRIVE -> redrive(queue, most, perSecond);
                case PURGE -> admin.purgeDead(queue, EndpointValues.duration("olderThan", olderThan), most);
            };
            return new QueueActionDescriptor(queue, wanted, null, jobs);
        });
    }

    private QueueActionDescriptor onKey(String queue, String key, QueueAction action) {
        switch (action) {
            case PAUSE -> admin.pause(queue, key);
            case RESUME -> admin.resume(queue, key);
            case REDRIVE, PURGE ->
                throw new IllegalArgumentException("key is for pause and resume only: leave key out to "
                        + action.name().toLowerCase(Locale.ROOT) + " dead jobs of all keys");
        }
        return new QueueActionDescriptor(queue, action, key, null);
    }

    private static @Nullable Integer done(Runnable action) {
        action.run();
        return null;
    }

    private int redrive(String queue, int limit, @Nullable String perSecond) {
        return perSecond == null
                ? admin.redriveAll(queue, limit)
                : admin.redriveAll(queue, limit, EndpointValues.number("perSecond", perSecond, 0));
    }

    /**
     * Acts on a job.
     *
     * @param action a {@link JobAction}
     * @param delay from now until a job that is rescheduled is due; must be given
     */
    @WriteOperation
    WebEndpointResponse<Object> act(
            @Selector String queue, @Selector String id, @Nullable String action, @Nullable String delay) {
        return answer(() -> {
            ActionResult result = switch (EndpointValues.word(JobAction.class, "action", action)) {
                case CANCEL -> admin.cancel(queue, id);
                case RESCHEDULE -> admin.reschedule(queue, id, EndpointValues.duration("delay", delay));
                case RUN_NOW -> admin.runNow(queue, id);
                case REDRIVE -> admin.redrive(queue, id);
            };
            return new JobActionDescriptor(result.done(), known(queue, id, result.previous()));
        });
    }

    /** Returns a value of a job; throws if it is null, because there is no such job. */
    private static <V> V known(String queue, String id, @Nullable V value) {
        if (value == null) {
            throw new NoSuchElementException("there is no job '" + id + "' in queue '" + queue
                    + "': it was never submitted there, or it has ended and is not retained");
        }
        return value;
    }

    /** Answers an error of the caller with status 400 or 404, and that too many keys are paused with 429, each with a sentence. */
    static WebEndpointResponse<Object> answer(Supplier<Object> call) {
        try {
            return new WebEndpointResponse<>(call.get(), WebEndpointResponse.STATUS_OK);
        } catch (NoSuchElementException e) {
            return error(e, WebEndpointResponse.STATUS_NOT_FOUND);
        } catch (IllegalArgumentException e) {
            return error(e, WebEndpointResponse.STATUS_BAD_REQUEST);
        } catch (TooManyKeysException e) {
            return error(e, WebEndpointResponse.STATUS_TOO_MANY_REQUESTS);
        }
    }

    private static WebEndpointResponse<Object> error(RuntimeException failure, int status) {
        return new WebEndpointResponse<>(new ErrorDescriptor(String.valueOf(failure.getMessage())), status);
    }
}

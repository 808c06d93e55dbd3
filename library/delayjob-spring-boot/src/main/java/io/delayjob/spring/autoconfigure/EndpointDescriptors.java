package io.delayjob.spring.autoconfigure;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.delayjob.DelayJobLimits;
import io.delayjob.DelayJobLimits.HeldKey;
import io.delayjob.Explanation;
import io.delayjob.JobOptions;
import io.delayjob.JobPage;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.Limits;
import io.delayjob.NodeSnapshot;
import io.delayjob.Progress;
import io.delayjob.QueueCounts;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.engine.ledger.Tally;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The answers of {@link DelayJobEndpoint}. A value that is missing is left out. */
public final class EndpointDescriptors {

    /** Leaves out the options that a job does not have. */
    private static final JsonMapper OPTIONS = JsonMapper.builder()
            .changeDefaultPropertyInclusion(old -> old.withValueInclusion(JsonInclude.Include.NON_EMPTY))
            .build();

    private EndpointDescriptors() {}

    /**
     * This node.
     *
     * @param node its name
     * @param consume whether it runs jobs, or only submits them
     * @param queues the queues it is for, by name
     * @param unconsumed the job counts of queues that no live node runs, by queue name; at most a minute old; left out if not found within 2 s
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record NodeDescriptor(
            String node,
            boolean consume,
            Map<String, QueueDescriptor> queues,
            @Nullable Map<String, QueueCounts> unconsumed)
            implements OperationResponseBody {}

    /**
     * A queue as this node sees it.
     *
     * @param counts its jobs by state, over the whole fleet
     * @param overdue how long the job that waits longest for a worker has been due
     * @param unhandled how many due jobs wait for a handler that no live node has, by its name; left out if none does
     * @param here the state of the queue on this node; left out if the node does not consume it now
     * @param failure why Redis did not answer; left out if it did
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record QueueDescriptor(
            @Nullable QueueCounts counts,
            @Nullable Duration overdue,
            @Nullable Map<String, Long> unhandled,
            @Nullable HereDescriptor here,
            @Nullable String failure) {

        static QueueDescriptor of(QueueLook look, @Nullable HereDescriptor here) {
            Tally tally = look.tally();
            return tally == null
                    ? new QueueDescriptor(null, null, null, here, look.failure())
                    : new QueueDescriptor(
                            tally.counts(),
                            Duration.ofMillis(tally.overdueMillis()),
                            tally.unhandled().isEmpty() ? null : tally.unhandled(),
                            here,
                            null);
        }
    }

    /**
     * The state of a queue on this node.
     *
     * @param workers how many of its jobs run at once
     * @param free how many more could run now
     * @param faults the problems that prevent the node from running its jobs, one sentence each
     */
    public record HereDescriptor(int workers, int free, List<String> faults) {}

    /**
     * Schedules of all queues.
     *
     * @param count how many there are in all
     * @param schedules some of them, by name
     */
    public record SchedulesDescriptor(int count, List<ScheduleDescriptor> schedules) implements OperationResponseBody {}

    /**
     * A schedule without the values that may be secret: its param and headers. The other values are those of {@link ScheduleSnapshot}.
     *
     * @param cron its expression; left out if it has a fixed distance
     * @param every its distance; left out if it has an expression
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ScheduleDescriptor(
            String name,
            @Nullable String queue,
            String topic,
            @Nullable String cron,
            @Nullable Duration every,
            String zone,
            boolean paused,
            boolean waits,
            @Nullable Instant nextAt,
            @Nullable Instant lastAt,
            long fired,
            long skipped,
            @Nullable String lastId,
            @Nullable Instant orphanSince) {

        static ScheduleDescriptor of(ScheduleSnapshot one) {
            return new ScheduleDescriptor(
                    one.schedule().name(),
                    one.schedule().queue(),
                    one.schedule().topic(),
                    one.schedule().timing().cron(),
                    one.schedule().timing().every(),
                    one.schedule().timing().zone().getId(),
                    one.paused(),
                    one.waits(),
                    one.nextAt(),
                    one.lastAt(),
                    one.fired(),
                    one.skipped(),
                    one.lastId(),
                    one.orphanSince());
        }
    }

    /**
     * One schedule.
     *
     * @param schedule the schedule
     * @param explanation why it fires or does not, in sentences
     * @param decisions what became of its last instants, the latest last
     */
    public record OneScheduleDescriptor(
            ScheduleDescriptor schedule, String explanation, List<ScheduleSnapshot.Decision> decisions)
            implements OperationResponseBody {}

    /**
     * An action on a schedule.
     *
     * @param schedule its name
     * @param action the action
     * @param id the id of the job that a trigger submitted; else left out
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ScheduleActionDescriptor(
            String schedule,
            DelayJobSchedulesEndpoint.ScheduleAction action,
            @Nullable String id) implements OperationResponseBody {}

    /**
     * A queue in the whole fleet.
     *
     * @param queue its name
     * @param counts its jobs by state
     * @param limits its limits, and those of keys that have their own
     * @param keys the keys of its jobs
     * @param nodes the nodes that consume it
     * @param running jobs that run now, on whichever node, those first whose leases end first; at most 100
     */
    public record FleetDescriptor(
            String queue,
            QueueCounts counts,
            LimitsDescriptor limits,
            KeysDescriptor keys,
            List<NodeSnapshot> nodes,
            List<JobDescriptor> running)
            implements OperationResponseBody {}

    /**
     * The limits of a queue, as the HTTP API shows them.
     *
     * @param concurrency how many of its jobs may run at once; left out for any number
     * @param rate how many of its jobs may begin in a time; left out for any number
     * @param perKey the limits of each key that has none of its own; left out if there are none
     * @param set whether these were set while the queue runs; otherwise they are in the settings of its nodes
     * @param keys the limits of keys that have their own, by key
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record LimitsDescriptor(
            @Nullable Integer concurrency,
            Limits.@Nullable Rate rate,
            @Nullable KeyLimitsDescriptor perKey,
            boolean set,
            Map<String, KeyLimitsDescriptor> keys) {

        static LimitsDescriptor of(DelayJobLimits limits) {
            Limits effective = limits.effective();
            Limits perKey = effective.perKey();
            Map<String, KeyLimitsDescriptor> keys = new TreeMap<>();
            limits.keys().forEach((key, its) -> keys.put(key, KeyLimitsDescriptor.of(its)));
            return new LimitsDescriptor(
                    effective.concurrency(),
                    effective.rate(),
                    perKey == null ? null : KeyLimitsDescriptor.of(perKey),
                    limits.areSet(),
                    keys);
        }
    }

    /**
     * Limits of a key.
     *
     * @param concurrency how many of its jobs may run at once; left out for any number
     * @param rate how many of its jobs may begin in a time; left out for any number
     * @param order the order of its jobs; left out for {@link Limits.Order#SKIP}
     * @param weight how many turns it has for each turn of a key with the weight 1; left out for 1
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record KeyLimitsDescriptor(
            @Nullable Integer concurrency,
            Limits.@Nullable Rate rate,
            Limits.@Nullable Order order,
            @Nullable Integer weight) {

        static KeyLimitsDescriptor of(Limits limits) {
            return new KeyLimitsDescriptor(limits.concurrency(), limits.rate(), limits.order(), limits.weight());
        }
    }

    /**
     * The keys of a queue's jobs.
     *
     * @param held how many limits hold back though a job of theirs is due
     * @param limitedJobs how many due jobs limits hold back, those of the queue or of their keys
     * @param paused those that are paused
     * @param jobs how many jobs with a key wait, due or not
     * @param longest those of the held keys whose next job has waited longest; at most {@value DelayJobLimits#MOST_LONGEST}
     */
    public record KeysDescriptor(long held, long limitedJobs, List<String> paused, long jobs, List<HeldKey> longest) {

        static KeysDescriptor of(DelayJobLimits limits) {
            return new KeysDescriptor(
                    limits.heldKeys(), limits.limitedJobs(), limits.pausedKeys(), limits.keyedJobs(), limits.longest());
        }
    }

    /**
     * Jobs of a state.
     *
     * @param jobs some of them, in the order of their time
     * @param next the cursor of the next page; left out if this is the last
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record PageDescriptor(
            List<JobDescriptor> jobs, @Nullable String next) implements OperationResponseBody {}

    /**
     * A job without the values that may be secret: its param, headers, result and error. The other values are those of {@link
     * JobSnapshot}.
     *
     * @param options the {@link JobOptions} that it was submitted with, by name
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record JobDescriptor(
            String id,
            @Nullable String job,
            JobState state,
            int attempt,
            @Nullable Instant dueAt,
            @Nullable Instant submittedAt,
            @Nullable Instant startedAt,
            @Nullable Instant leaseExpiresAt,
            @Nullable String node,
            @Nullable Instant diedAt,
            @Nullable Instant finishedAt,
            @Nullable Progress progress,
            @JsonAnyGetter Map<String, Object> options) {

        static JobDescriptor of(JobSnapshot job) {
            return new JobDescriptor(
                    job.id(),
                    job.job(),
                    job.state(),
                    job.attempt(),
                    job.dueAt(),
                    job.submittedAt(),
                    job.startedAt(),
                    job.leaseExpiresAt(),
                    job.node(),
                    job.diedAt(),
                    job.finishedAt(),
                    job.progress(),
                    OPTIONS.convertValue(job.options(), new TypeReference<>() {}));
        }

        static List<JobDescriptor> of(JobPage page) {
            return page.jobs().stream().map(JobDescriptor::of).toList();
        }
    }

    /**
     * Why a job is not running, or that it is.
     *
     * @param reason the reason
     * @param text the reason in a sentence; that of a job that failed names its failure
     * @param job the job
     */
    public record ExplanationDescriptor(Explanation.Reason reason, String text, JobDescriptor job)
            implements OperationResponseBody {}

    /**
     * The result of an action on a queue, or on one key of it.
     *
     * @param queue its name
     * @param action the action
     * @param key the key that was paused or resumed; left out if the action was on the queue
     * @param jobs how many jobs it changed; left out if the action does not change jobs
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record QueueActionDescriptor(
            String queue,
            DelayJobEndpoint.QueueAction action,
            @Nullable String key,
            @Nullable Integer jobs) implements OperationResponseBody {}

    /**
     * The result of an action on a job.
     *
     * @param done whether it was done
     * @param previous the state the job was in
     */
    public record JobActionDescriptor(boolean done, JobState previous) implements OperationResponseBody {}

    /**
     * The request was refused, or its job does not exist: nothing was shown or done.
     *
     * @param error the error message
     */
    public record ErrorDescriptor(String error) implements OperationResponseBody {}
}

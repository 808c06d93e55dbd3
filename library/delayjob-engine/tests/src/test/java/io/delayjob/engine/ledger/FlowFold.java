package io.delayjob.engine.ledger;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.Flow.Step;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The unfinished jobs of a shard as its flow log tells them. */
public final class FlowFold {

    private final Map<String, Job> jobs = new TreeMap<>();

    /**
     * A job.
     *
     * @param state DELAYED if it waits, whether it is due or not
     * @param millis its due time or the time of its death; null if it runs
     * @param due its last due time
     * @param place the time by which it has its place before other jobs of its key; null for its due time
     * @param content its content as it is stored
     */
    public record Job(
            JobState state,
            @Nullable Long millis,
            long due,
            @Nullable Long place,
            int attempt,
            @Nullable String node,
            @Nullable String error,
            JobContent content) {

        /** The job as the ledger has it, as far as both tell it. */
        public static Object seen(StoredJob job) {
            JobState state = job.state() == JobState.READY ? JobState.DELAYED : job.state();
            return List.of(
                    state,
                    String.valueOf(state == JobState.RESERVED ? null : job.atMillis()),
                    job.attempt().number(),
                    String.valueOf(job.node()),
                    String.valueOf(job.error()),
                    String.valueOf(job.record()));
        }

        /** The same of this one. */
        public Object seen() {
            return List.of(
                    state,
                    String.valueOf(millis),
                    attempt,
                    String.valueOf(node),
                    String.valueOf(error),
                    content.record());
        }

        /** The job as it is put back: one that runs waits again. */
        public RestoredJob restored(String id) {
            boolean dead = state == JobState.DEAD;
            return new RestoredJob(
                    id,
                    content,
                    dead ? JobState.DEAD : JobState.DELAYED,
                    millis == null ? due : millis,
                    place,
                    attempt,
                    error,
                    null);
        }
    }

    /** Takes a step. */
    public void take(Step step) {
        switch (step.kind()) {
            case START, REFUSE, LIMITS, PAUSE -> {}
            case SUBMIT, RESTORE -> store(step);
            case REPLACE, COMPLETE, CANCEL, PURGE -> jobs.remove(step.id());
            default -> move(step);
        }
    }

    private void store(Step step) {
        JobContent content = step.content();
        Long at = step.dueMillis();
        if (content == null || at == null || step.state() == null) {
            throw new IllegalArgumentException("not stored: " + step);
        }
        jobs.put(
                step.id(),
                new Job(step.state(), at, at, step.placeMillis(), step.attempt(), null, step.text(), content));
    }

    private void move(Step step) {
        Job before = jobs.get(step.id());
        if (before == null || step.state() == null) {
            throw new IllegalArgumentException("of no job: " + step);
        }
        Long due = step.state() == JobState.DELAYED ? step.dueMillis() : null;
        boolean failed = step.kind() == Flow.Kind.RETRY || step.kind() == Flow.Kind.BURY;
        jobs.put(
                step.id(),
                new Job(
                        step.state(),
                        step.dueMillis(),
                        due == null ? before.due() : due,
                        step.dueMillis() == null ? before.place() : step.placeMillis(),
                        step.attempt(),
                        node(step, before),
                        failed ? step.text() : before.error(),
                        before.content()));
    }

    /** A job that is given back, or passed on after its lease ended, forgets its node; one that failed does not. */
    private static @Nullable String node(Step step, Job before) {
        if (step.state() == JobState.RESERVED) {
            return step.node();
        }
        boolean wasLost = step.kind() == Flow.Kind.PASS_ON && before.state() == JobState.RESERVED;
        return step.kind() == Flow.Kind.RELEASE || wasLost ? null : before.node();
    }

    /** All unfinished jobs, by their ids. */
    public Map<String, Job> jobs() {
        return jobs;
    }
}

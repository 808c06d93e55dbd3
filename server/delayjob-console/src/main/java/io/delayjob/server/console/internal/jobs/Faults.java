package io.delayjob.server.console.internal.jobs;

import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.server.console.internal.look.Chart;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Groups jobs by queue and what failed. Used by one thread at a time. */
public final class Faults {

    private static final int BARS = 24;

    private final Map<String, Building> groups = new HashMap<>();

    /**
     * Jobs of a queue that failed for the same reason.
     *
     * @param queue the queue
     * @param fault the reason
     * @param dead how many are dead
     * @param retrying how many wait for another attempt
     * @param first when the first of the dead ones died; null if none is dead
     * @param last when the last one did
     * @param message the first line of the error of one of them
     * @param sample the id of that one
     * @param overTime when they died, as a line
     * @param due the latest due time of those that wait; null if none does
     * @param mark the decision about them; null if there is none
     */
    public record Group(
            String queue,
            Fault fault,
            long dead,
            long retrying,
            @Nullable Instant first,
            @Nullable Instant last,
            @Nullable String message,
            String sample,
            Chart overTime,
            @Nullable Instant due,
            FaultMarks.@Nullable Mark mark) {

        /** The error message of the sample, without the exception's name, which is shown beside it. */
        public @Nullable String said() {
            if (message == null) {
                return null;
            }
            String name = fault.what() + ": ";
            int at = message.indexOf(name);
            return at < 0 ? message : message.substring(at + name.length());
        }

        /** Names it. */
        public String name() {
            return queue + " " + fault.key();
        }

        /** Where its page is. */
        public String link() {
            return Faults.link(queue, fault);
        }

        /** How it stands with the group. */
        public Standing standing() {
            if (mark == null) {
                return Standing.OPEN;
            } else if (mark.decision() == FaultMarks.Decision.IGNORED) {
                return Standing.IGNORED;
            }
            return mark.isOutdated(last, due) ? Standing.RETURNED : Standing.RESOLVED;
        }

        Group marked(FaultMarks.@Nullable Mark its) {
            return new Group(queue, fault, dead, retrying, first, last, message, sample, overTime, due, its);
        }
    }

    /** How it stands with a group. */
    public enum Standing {
        /** Nobody has decided anything. */
        OPEN,
        /** It was resolved, and has failed since. */
        RETURNED,
        /** It was resolved, and has not failed since. */
        RESOLVED,
        /** It is ignored. */
        IGNORED;

        /** Whether it is shown first. */
        public boolean isOpen() {
            return this == OPEN || this == RETURNED;
        }
    }

    private static final class Building {

        private final JobSnapshot sample;
        private final Fault fault;
        private final List<Instant> deaths = new ArrayList<>();
        private long retrying;
        private @Nullable Instant due;

        Building(JobSnapshot sample, Fault fault) {
            this.sample = sample;
            this.fault = fault;
        }

        Group group() {
            deaths.sort(Comparator.naturalOrder());
            Instant first = deaths.isEmpty() ? null : deaths.get(0);
            Instant last = deaths.isEmpty() ? null : deaths.get(deaths.size() - 1);
            return new Group(
                    sample.queue(),
                    fault,
                    deaths.size(),
                    retrying,
                    first,
                    last,
                    JobRow.firstLine(sample.lastError()),
                    sample.id(),
                    overTime(),
                    due,
                    null);
        }

        void retry(@Nullable Instant dueAt) {
            retrying++;
            if (dueAt != null && (due == null || dueAt.isAfter(due))) {
                due = dueAt;
            }
        }

        private Chart overTime() {
            double[] bars = new double[BARS];
            if (!deaths.isEmpty()) {
                long begin = deaths.get(0).toEpochMilli();
                long length = Math.max(1, Instant.now().toEpochMilli() - begin);
                deaths.forEach(at ->
                        bars[(int) Math.max(0, Math.min(BARS - 1, (at.toEpochMilli() - begin) * BARS / length))]++);
            }
            return Chart.of(bars, 120, 24);
        }
    }

    /** Where the page of a group is. */
    static String link(String queue, Fault fault) {
        return "/errors/group?queue=" + queue + "&fault=" + fault.key();
    }

    /** When the dead jobs of a group died, the first one first. */
    List<Instant> deaths(Group group) {
        Building building = groups.get(group.name());
        return building == null ? List.of() : building.deaths;
    }

    void add(JobSnapshot job) {
        if (job.lastError() == null) {
            return;
        }
        Fault fault = Fault.of(job.lastError());
        Building group = groups.computeIfAbsent(job.queue() + " " + fault.key(), key -> new Building(job, fault));
        if (job.state() == JobState.DEAD && job.diedAt() != null) {
            group.deaths.add(job.diedAt());
        } else {
            group.retry(job.dueAt());
        }
    }

    /** The largest first. */
    List<Group> groups() {
        return groups.values().stream()
                .map(Building::group)
                .sorted(Comparator.comparingLong(Group::dead)
                        .thenComparingLong(Group::retrying)
                        .reversed())
                .toList();
    }
}

package io.delayjob.server.console.internal.look;

import io.delayjob.QueueCounts;
import io.delayjob.Schedule;
import io.delayjob.server.console.internal.look.Concern.Severity;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Finds what needs attention, the worst first. */
final class Concerns {

    private static final long LATE_MILLIS = Duration.ofSeconds(10).toMillis();

    private Concerns() {}

    static List<Concern> of(List<QueueLook> queues, List<Concern> more) {
        return Stream.concat(more.stream(), queues.stream().flatMap(Concerns::of))
                .sorted(Comparator.comparing(Concern::severity)
                        .thenComparing(Comparator.comparingLong(Concern::millis).reversed())
                        .thenComparing(Comparator.comparingLong(Concern::count).reversed()))
                .toList();
    }

    private static Stream<Concern> of(QueueLook queue) {
        QueueCounts counts = queue.counts();
        Stream.Builder<Concern> found = Stream.builder();
        boolean late = queue.overdueMillis() >= LATE_MILLIS;
        if (counts.paused()) {
            found.add(new Concern(Severity.WARN, "paused", queue.name(), counts.ready(), queue.overdueMillis()));
        } else if (counts.ready() + counts.delayed() > 0 && queue.nodes().isEmpty()) {
            Severity severity = late ? Severity.BAD : Severity.WARN;
            found.add(
                    counts.ready() == 0
                            ? new Concern(Severity.WARN, "nobody-yet", queue.name(), counts.delayed(), 0)
                            : new Concern(severity, "nobody", queue.name(), counts.ready(), queue.overdueMillis()));
        } else if (!queue.unhandled().isEmpty()) {
            long jobs = queue.unhandled().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            String names = String.join(", ", queue.unhandled().keySet());
            found.add(new Concern(Severity.BAD, "unhandled", queue.name(), jobs, queue.overdueMillis(), names));
        } else if (late && counts.ready() == 0 && counts.delayed() > 0 && queue.isMixed()) {
            found.add(new Concern(Severity.BAD, "passed-on", queue.name(), 0, queue.overdueMillis()));
        } else if (late && counts.ready() == 0) {
            found.add(new Concern(Severity.BAD, "expired", queue.name(), counts.reserved(), queue.overdueMillis()));
        } else if (late) {
            String kind = queue.free() == 0 ? "busy" : "overdue";
            found.add(new Concern(Severity.BAD, kind, queue.name(), counts.ready(), queue.overdueMillis()));
        }
        if (queue.unservedMillis() > Schedule.IN_TIME.toMillis()) {
            found.add(new Concern(Severity.BAD, "unserved", queue.name(), 0, queue.unservedMillis()));
        }
        if (counts.dead() > 0) {
            boolean more = queue.died() > 0;
            found.add(new Concern(
                    more ? Severity.BAD : Severity.WARN,
                    more ? "dying" : "dead",
                    queue.name(),
                    more ? queue.died() : counts.dead(),
                    0));
        }
        return found.build();
    }
}

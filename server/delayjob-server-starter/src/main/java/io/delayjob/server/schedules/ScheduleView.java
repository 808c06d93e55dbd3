package io.delayjob.server.schedules;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.delayjob.JobOptions;
import io.delayjob.Schedule;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.ScheduleTiming;
import io.delayjob.server.web.View;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it was at one moment; see {@link ScheduleSnapshot}.
 *
 * @param name its name
 * @param queue the queue of its jobs
 * @param topic the name of what runs
 * @param param the param of each job; left out if there is none
 * @param cron the cron expression; left out if there is {@code every}
 * @param every the distance of two instants; left out if there is {@code cron}
 * @param zone whose clocks show the times of the expression
 * @param gap what happens at a local time that does not exist
 * @param repeated what happens at a local time that exists twice
 * @param jitter how much later an occurrence may be due than its instant
 * @param overlap what happens while the occurrence before is not over
 * @param catchUp which missed instants are made up for
 * @param window how long after its instant an occurrence can be made up for
 * @param pauseAfter how many occurrences in a row may be dead before the schedule pauses itself; any number if 0
 * @param revision says which of two definitions that applications declare is newer
 * @param options the options of its jobs
 * @param headers text that is stored with each job
 * @param paused whether it is paused
 * @param nextAt its next instant; left out if none follows
 * @param waits whether its next instant has come and waits for the occurrence before
 * @param lastAt the last instant that fired or was skipped; left out before the first
 * @param fired how many occurrences it has stored
 * @param skipped how many instants were skipped
 * @param lastId the id of its last occurrence; left out before the first
 * @param orphanSince since when no running application declares it, though one did; left out if one does, or it was put otherwise
 * @param decisions what became of its last instants, the latest last
 */
public record ScheduleView(
        String name,
        String queue,
        String topic,
        @Nullable Object param,
        @Nullable String cron,
        @Nullable Duration every,
        String zone,
        ScheduleTiming.Gap gap,
        ScheduleTiming.Repeated repeated,
        Duration jitter,
        Schedule.Overlap overlap,
        Schedule.CatchUp catchUp,
        Duration window,
        int pauseAfter,
        int revision,
        @JsonUnwrapped JobOptions options,
        Map<String, String> headers,
        boolean paused,
        @Nullable Instant nextAt,
        boolean waits,
        @Nullable Instant lastAt,
        long fired,
        long skipped,
        @Nullable String lastId,
        @Nullable Instant orphanSince,
        List<ScheduleSnapshot.Decision> decisions)
        implements View {

    static ScheduleView of(ScheduleSnapshot snapshot) {
        Schedule schedule = snapshot.schedule();
        ScheduleTiming timing = schedule.timing();
        return new ScheduleView(
                schedule.name(),
                String.valueOf(schedule.queue()),
                schedule.topic(),
                schedule.param(),
                timing.cron(),
                timing.every(),
                timing.zone().getId(),
                timing.gap(),
                timing.repeated(),
                timing.jitter(),
                schedule.overlap(),
                schedule.catchUp(),
                schedule.window(),
                schedule.pauseAfter(),
                schedule.revision(),
                schedule.options(),
                schedule.headers(),
                snapshot.paused(),
                snapshot.nextAt(),
                snapshot.waits(),
                snapshot.lastAt(),
                snapshot.fired(),
                snapshot.skipped(),
                snapshot.lastId(),
                snapshot.orphanSince(),
                snapshot.decisions());
    }

    /** The name, queue and topic; the param and headers may be secret. */
    @Override
    public String toString() {
        return "ScheduleView[name=" + name + ", queue=" + queue + ", topic=" + topic + "]";
    }
}

package io.delayjob.server.console.internal.recurring;

import io.delayjob.Schedule;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.schedules.ScheduleView;
import java.time.Instant;
import java.time.ZoneOffset;

/**
 * A schedule as a row of a table shows it.
 *
 * @param schedule the schedule
 * @param state how it is doing
 */
public record ScheduleRow(ScheduleView schedule, State state) {

    /** How a schedule is doing. */
    public enum State {
        /** It fires at its next instant. */
        FIRES,
        /** Its next instant passed longer ago than {@link Schedule#IN_TIME}, and no node has served it. */
        LATE,
        /** Its next instant has come, and waits for the occurrence before. */
        WAITS,
        /** It does not fire until it is resumed. */
        PAUSED,
        /** No instant follows. */
        ENDED
    }

    static ScheduleRow of(ScheduleView schedule, Instant now) {
        return new ScheduleRow(schedule, state(schedule, now));
    }

    private static State state(ScheduleView schedule, Instant now) {
        if (schedule.paused()) {
            return State.PAUSED;
        } else if (schedule.nextAt() == null) {
            return State.ENDED;
        }
        if (schedule.waits()) {
            return State.WAITS;
        }
        return schedule.nextAt().plus(Schedule.IN_TIME).isBefore(now) ? State.LATE : State.FIRES;
    }

    /** Whose clocks show the times of its expression. */
    public String zone() {
        return schedule.zone().equals(ZoneOffset.UTC.getId()) ? "UTC" : schedule.zone();
    }

    /** The address of its page, within the console. */
    public String link() {
        return RecurringPages.link(schedule.name());
    }

    /** The address of a job of it, within the console. */
    public String link(String id) {
        return "/job?queue=%s&id=%s".formatted(Pages.encoded(schedule.queue()), Pages.encoded(id));
    }
}

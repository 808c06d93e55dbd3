package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.StoredSchedule;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The changing part of a schedule as a text, for a journal.
 *
 * @param schedule the schedule; its decisions are not in the text
 * @param deaths how many of its occurrences in a row are dead
 */
record ScheduleText(StoredSchedule schedule, int deaths) {

    private static final Pattern TEXT = Pattern.compile(
            "version=(\\d+)\\|next=(\\d*)\\|last=(\\d*)\\|since=(\\d+)\\|paused=(1?)\\|fired=(\\d+)\\|skipped=(\\d+)\\|deaths=(-?\\d+)\\|held=(\\d+)\\|job=(.*)",
            Pattern.DOTALL);

    /** Reads a text; null if it is not valid. */
    static @Nullable ScheduleText read(String name, String definition, String text) {
        Matcher fields = TEXT.matcher(text);
        return fields.matches()
                ? new ScheduleText(read(name, definition, fields.toMatchResult()), Integer.parseInt(fields.group(8)))
                : null;
    }

    private static StoredSchedule read(String name, String definition, MatchResult fields) {
        return new StoredSchedule(
                name,
                Long.parseLong(fields.group(1)),
                definition,
                number(fields.group(2)),
                number(fields.group(3)),
                Long.parseLong(fields.group(4)),
                Long.parseLong(fields.group(9)),
                !fields.group(5).isEmpty(),
                Long.parseLong(fields.group(6)),
                Long.parseLong(fields.group(7)),
                fields.group(10).isEmpty() ? null : fields.group(10),
                null,
                List.of());
    }

    private static @Nullable Long number(String text) {
        return text.isEmpty() ? null : Long.valueOf(text);
    }

    private static String orEmpty(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    String write() {
        return "version=" + schedule.version()
                + "|next=" + orEmpty(schedule.nextMillis())
                + "|last=" + orEmpty(schedule.lastMillis())
                + "|since=" + schedule.sinceMillis()
                + "|paused=" + (schedule.paused() ? "1" : "")
                + "|fired=" + schedule.fired()
                + "|skipped=" + schedule.skipped()
                + "|deaths=" + deaths
                + "|held=" + schedule.heldMillis()
                + "|job=" + orEmpty(schedule.job());
    }

    /** Whether this state of a schedule is later than another one. */
    boolean isLaterThan(ScheduleText other) {
        StoredSchedule than = other.schedule;
        if (schedule.version() != than.version()) {
            return schedule.version() > than.version();
        }
        return last() > other.last() || (last() == other.last() && schedule.paused() && !than.paused());
    }

    long last() {
        return schedule.lastMillis() == null ? -1 : schedule.lastMillis();
    }

    /** The schedule with the last instant of another state of it, if that is later, and then with a next instant behind that. */
    ScheduleText withLastOf(ScheduleText other) {
        if (other.last() <= last()) {
            return this;
        }
        Long next = schedule.nextMillis();
        boolean passed = next != null && next <= other.last();
        return new ScheduleText(
                new StoredSchedule(
                        schedule.name(),
                        schedule.version(),
                        schedule.definition(),
                        passed ? other.schedule.nextMillis() : next,
                        other.schedule.lastMillis(),
                        schedule.sinceMillis(),
                        schedule.heldMillis(),
                        schedule.paused(),
                        schedule.fired(),
                        schedule.skipped(),
                        schedule.job(),
                        null,
                        schedule.decisions()),
                deaths);
    }
}

package io.delayjob.server.console.internal.jobs;

import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.server.internal.web.ServerJson;
import io.delayjob.support.Checks;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * What somebody looks for, as it is written in the search box: words {@code key:value}, and at most one other word, an id or the beginning
 * of one. Keys that are none of those below name fields of the param, such as {@code order.id:42}.
 *
 * @param text how it was written
 * @param id an id or its beginning; null for any
 * @param queue a queue; null for all
 * @param states states; all if empty
 * @param topic a topic; null for any
 * @param node a node or worker that has the job; null for any
 * @param error a part of the last error, without case; null for any
 * @param from due at this time or later; null for any
 * @param to due before this time; null for any
 * @param fields values of fields of the param, by their paths
 */
public record Filter(
        String text,
        @Nullable String id,
        @Nullable String queue,
        List<JobState> states,
        @Nullable String topic,
        @Nullable String node,
        @Nullable String error,
        @Nullable Instant from,
        @Nullable Instant to,
        Map<String, String> fields) {

    private static final Pattern WORD = Pattern.compile("(?:([^\\s:\"]+):)?(?:\"([^\"]*)\"|(\\S+))");
    private static final int LONGEST = 500;

    /**
     * Reads what was written.
     *
     * @throws IllegalArgumentException if it cannot be understood; the message says what can
     */
    public static Filter parse(String text, Redaction redaction) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("a search has at most " + LONGEST + " characters: " + text.length());
        }
        Map<String, String> keys = new LinkedHashMap<>();
        Map<String, String> fields = new LinkedHashMap<>();
        String id = null;
        Matcher words = WORD.matcher(text.strip());
        while (words.find()) {
            String key = words.group(1);
            String value = words.group(2) == null ? words.group(3) : words.group(2);
            if (key == null) {
                if (id != null) {
                    throw new IllegalArgumentException("one id is looked for at a time: " + Checks.shown(id) + " and "
                            + Checks.shown(value) + "; write error:\"two words\" to look for words of an error");
                }
                id = value;
            } else if (List.of("queue", "state", "topic", "node", "error", "due", "id")
                    .contains(key)) {
                keys.put(key, value);
            } else {
                if (!redaction.isOpen(key)) {
                    throw new IllegalArgumentException(
                            "the field " + Checks.shown(key) + " is hidden and cannot be looked for");
                }
                fields.put(key, value);
            }
        }
        String due = keys.get("due");
        String queue = keys.get("queue");
        return new Filter(
                text.strip(),
                keys.getOrDefault("id", id),
                queue == null ? null : Checks.queue(queue),
                states(keys.get("state")),
                keys.get("topic"),
                keys.get("node"),
                keys.get("error"),
                due == null ? null : time(due, true),
                due == null ? null : time(due, false),
                fields);
    }

    private static List<JobState> states(@Nullable String names) {
        List<JobState> states = new ArrayList<>();
        if (names != null) {
            for (String name : names.split(",", -1)) {
                try {
                    String upper = name.toUpperCase(Locale.ROOT);
                    states.add(upper.equals("RUNNING") ? JobState.RESERVED : JobState.valueOf(upper));
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(
                            "state is one of delayed, ready, running, dead, completed, cancelled: "
                                    + Checks.shown(name),
                            e);
                }
            }
        }
        return states;
    }

    private static @Nullable Instant time(String due, boolean begin) {
        String[] ends = due.split("\\.\\.", 2);
        String end = ends.length == 1 || begin ? ends[0] : ends[1];
        if (end.isEmpty()) {
            return null;
        }
        try {
            return end.length() > "2030-01-31".length()
                    ? Instant.parse(end)
                    : LocalDate.parse(end)
                            .plusDays(begin ? 0 : 1)
                            .atStartOfDay()
                            .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "due is a day or a range, such as due:2030-01-31, due:2030-01-01..2030-01-31 or due:2030-01-31T08:00:00Z.. : "
                            + Checks.shown(due),
                    e);
        }
    }

    /** Whether anything is looked for. */
    public boolean isEmpty() {
        return text.isEmpty();
    }

    /** Whether a job is one of those. Its queue and state have been seen to. */
    public boolean matches(JobSnapshot job) {
        return (id == null || job.id().startsWith(id))
                && (topic == null || topic.equals(job.job()))
                && (node == null || (job.node() != null && job.node().startsWith(node)))
                && (error == null || contains(job.lastError(), error))
                && isDue(job.dueAt())
                && fields.entrySet().stream().allMatch(field -> has(job.param(), field.getKey(), field.getValue()));
    }

    private static boolean contains(@Nullable String text, String part) {
        return text != null && text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }

    private boolean isDue(@Nullable Instant at) {
        return (from == null || (at != null && !at.isBefore(from))) && (to == null || (at != null && at.isBefore(to)));
    }

    private static boolean has(String param, String path, String wanted) {
        if (!param.contains(path.substring(path.lastIndexOf('.') + 1))) {
            return false;
        }
        try {
            JsonNode value = ServerJson.stored().readTree(param);
            for (String part : path.split("\\.", -1)) {
                value = value.path(part);
            }
            return value.isValueNode() && value.asString("").equals(wanted);
        } catch (JacksonException e) {
            return false;
        }
    }
}

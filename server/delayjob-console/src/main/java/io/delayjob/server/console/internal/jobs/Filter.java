package io.delayjob.server.console.internal.jobs;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.EndedQuery;
import io.delayjob.IndexedValue;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.TimeRange;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.pages.BadInput;
import io.delayjob.server.web.ServerJson;
import io.delayjob.support.Checks;
import io.delayjob.support.Times;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A search as it is written in the search box: words {@code key:value}, and at most one other word, an id or the beginning
 * of one. A value in quotation marks may have blanks, and has each of its own quotation marks twice. Keys are those below, in either case of
 * letters. Others name fields of the param, such as {@code order.id:42}; {@code param.} before the name of a field also reaches one whose name is a
 * key.
 *
 * @param text how it was written
 * @param id an id or its beginning; null for any
 * @param queue a queue; null for all
 * @param states states; all if empty
 * @param topic a topic; null for any
 * @param node a node or worker that has the job, or had it when it failed or ended; null for any
 * @param error a part of the last error, without case; null for any
 * @param due due in this range
 * @param ended ended in this range
 * @param died died in this range, and dead still
 * @param fault the {@link Fault#key() key} of the last error's fault; null for any
 * @param priorities priorities; all if empty
 * @param key the key of the job; null for any
 * @param tags tags, all of which such a job has
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
        TimeRange due,
        TimeRange ended,
        TimeRange died,
        @Nullable String fault,
        List<Integer> priorities,
        @Nullable String key,
        List<String> tags,
        Map<String, String> fields) {

    private static final Pattern WORD = Pattern.compile("(?:([^\\s:\"]+):)?(?:\"((?:[^\"]|\"\")*+)\"|(\\S+))");
    private static final Set<String> KEYS =
            Set.of("queue", "state", "topic", "node", "error", "due", "ended", "died", "fault", "priority", "key");
    private static final String TAG = "tag";
    private static final String ID = "id";

    /** Before the name of a field of the param. */
    private static final String PARAM = "param.";

    private static final Set<JobState> ENDS = EnumSet.of(JobState.COMPLETED, JobState.CANCELLED);

    /** Values that are written in JSON as they are. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.:-]+");

    private static final String QUOTE = "\"";
    private static final String TWO_QUOTES = QUOTE + QUOTE;

    private static final int LONGEST = 500;

    /** The most characters of an id. */
    private static final int LONGEST_ID = 128;

    /**
     * Reads what was written.
     *
     * @throws IllegalArgumentException if it cannot be understood; the message says what can
     */
    public static Filter parse(String text, Redaction redaction) {
        if (text.length() > LONGEST) {
            throw BadInput.of("long", String.valueOf(LONGEST), String.valueOf(text.length()));
        }
        Map<String, String> keys = new LinkedHashMap<>();
        Map<String, String> fields = new LinkedHashMap<>();
        List<String> tags = new ArrayList<>();
        String id = null;
        Matcher words = WORD.matcher(text.strip());
        while (words.find()) {
            String written = words.group(1);
            String key = written == null ? null : written.toLowerCase(Locale.ROOT);
            String value =
                    words.group(2) == null ? words.group(3) : words.group(2).replace(TWO_QUOTES, QUOTE);
            if (key == null || key.equals(ID)) {
                if (id != null) {
                    throw BadInput.of("ids", Checks.shown(id), Checks.shown(value));
                }
                id = value;
            } else if (key.equals(TAG)) {
                tags.add(value);
            } else if (KEYS.contains(key)) {
                keys.put(key, value);
            } else {
                String field = key.startsWith(PARAM) ? written.substring(PARAM.length()) : written;
                if (!redaction.isOpen(field)) {
                    throw BadInput.of("hidden", Checks.shown(field));
                }
                fields.put(field, value);
            }
        }
        String queue = keys.get("queue");
        return new Filter(
                text.strip(),
                id,
                queue == null ? null : queue(queue),
                states(keys.get("state")),
                keys.get("topic"),
                keys.get("node"),
                keys.get("error"),
                range("due", keys.get("due")),
                range("ended", keys.get("ended")),
                range("died", keys.get("died")),
                keys.containsKey("fault") ? Fault.checked(keys.get("fault")) : null,
                priorities(keys.get("priority")),
                keys.get("key"),
                List.copyOf(tags),
                fields);
    }

    /**
     * The search that finds the jobs of a list.
     *
     * @param topic their topic; null for any
     * @param id the beginning of their ids; null for any
     */
    static String textOf(String queue, JobState state, @Nullable String topic, @Nullable String id) {
        return "queue:" + queue + " state:" + state.name().toLowerCase(Locale.ROOT) + word("topic", topic)
                + word(ID, id);
    }

    private static String word(String key, @Nullable String value) {
        return value == null ? "" : " " + key + ":" + QUOTE + value.replace(QUOTE, TWO_QUOTES) + QUOTE;
    }

    private static String queue(String name) {
        try {
            return Checks.queue(name);
        } catch (IllegalArgumentException e) {
            throw BadInput.of("queue", Checks.shown(name));
        }
    }

    private static List<JobState> states(@Nullable String names) {
        List<JobState> states = new ArrayList<>();
        if (names != null) {
            for (String name : names.split(",", -1)) {
                try {
                    String upper = name.toUpperCase(Locale.ROOT);
                    states.add(upper.equals("RUNNING") ? JobState.RESERVED : JobState.valueOf(upper));
                } catch (IllegalArgumentException e) {
                    throw BadInput.of("state", Checks.shown(name));
                }
            }
        }
        return states;
    }

    private static List<Integer> priorities(@Nullable String numbers) {
        try {
            return numbers == null
                    ? List.of()
                    : Stream.of(numbers.split(",", -1))
                            .map(number -> Checks.priority(Integer.parseInt(number)))
                            .toList();
        } catch (IllegalArgumentException e) {
            throw BadInput.of("priority", Checks.shown(numbers));
        }
    }

    private static TimeRange range(String key, @Nullable String range) {
        if (range == null) {
            return TimeRange.ANY;
        }
        Instant from = time(key, range, true);
        Instant to = time(key, range, false);
        try {
            return new TimeRange(from, to);
        } catch (IllegalArgumentException e) {
            throw BadInput.of("backwards", key, Checks.shown(range));
        }
    }

    private static @Nullable Instant time(String key, String range, boolean begin) {
        String[] ends = range.split("\\.\\.", 2);
        String end = ends.length == 1 || begin ? ends[0] : ends[1];
        if (end.isEmpty()) {
            return null;
        }
        try {
            return Times.checked(
                    end.length() > "2030-01-31".length()
                            ? Instant.parse(end)
                            : LocalDate.parse(end)
                                    .plusDays(begin ? 0 : 1)
                                    .atStartOfDay()
                                    .toInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            throw BadInput.of("range", key, Checks.shown(range));
        }
    }

    /** The queues that it is about, of those that a caller may see; the queue that it names need not be there. */
    public Mono<List<String>> queuesFor(Access access, AsyncDelayJobAdmin admin) {
        return queue != null
                ? Mono.just(List.of(access.require(queue, Role.READ)))
                : Mono.fromFuture(admin::queues)
                        .map(all -> all.stream().filter(access::isFor).sorted().toList());
    }

    /** Whether anything is looked for. */
    public boolean isEmpty() {
        return text.isEmpty();
    }

    /** The beginning of ids to list; null for all, and where no id is so long. */
    @Nullable String idToList() {
        return id == null || id.length() > LONGEST_ID ? null : id;
    }

    /** The states in which such jobs can be. */
    public List<JobState> possibleStates() {
        return Stream.of(JobState.values())
                .filter(state -> states.isEmpty() || states.contains(state))
                .filter(state -> ended.equals(TimeRange.ANY) || ENDS.contains(state))
                .filter(state -> died.equals(TimeRange.ANY) || state == JobState.DEAD)
                .filter(state -> due.equals(TimeRange.ANY) || state != JobState.DEAD)
                .filter(state -> fault == null || !ENDS.contains(state))
                .toList();
    }

    /** The times of such jobs of a state, which is their order there. */
    public TimeRange times(JobState state) {
        return switch (state) {
            case DELAYED, READY -> due;
            case DEAD -> died;
            case COMPLETED, CANCELLED -> ended;
            case RESERVED -> TimeRange.ANY;
        };
    }

    /** The query for the ended jobs of a queue in its journal; empty if the filter can match none of them. */
    public Optional<EndedQuery> ofEnded(String ofQueue) {
        boolean none = !states.isEmpty() && states.stream().noneMatch(ENDS::contains);
        boolean failed = fault != null || !died.equals(TimeRange.ANY);
        if (none || failed || (id != null && idToList() == null)) {
            return Optional.empty();
        }
        EndedQuery query = EndedQuery.of(ofQueue)
                .withStates(states.stream().filter(ENDS::contains).collect(Collectors.toSet()))
                .withJob(topic)
                .withIdPrefix(id)
                .withNode(node)
                .withError(error)
                .withText(mark())
                .withDue(due)
                .withEnded(ended);
        return Optional.of(query);
    }

    /** A text that the record of such jobs has; null if any may do. */
    private @Nullable String mark() {
        Stream<String> inParam = fields.entrySet().stream()
                .map(field -> isPlain(field.getValue()) ? field.getValue() : lastOf(field.getKey()));
        return Stream.concat(
                        Stream.concat(tags.stream(), Stream.ofNullable(key)).filter(Filter::isPlain), inParam)
                .filter(text -> !text.isEmpty())
                .max(Comparator.comparing(String::length))
                .orElse(null);
    }

    private static boolean isPlain(String value) {
        return PLAIN.matcher(value).matches();
    }

    private static String lastOf(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    /** A field or tag of the search that an index has; empty if it has none. */
    Optional<IndexedValue> indexed(List<String> words) {
        return Stream.concat(
                        fields.entrySet().stream().map(field -> new IndexedValue(field.getKey(), field.getValue())),
                        tags.stream().map(tag -> new IndexedValue(TAG, tag)))
                .filter(value -> words.contains(value.word()))
                .findFirst();
    }

    /** Whether a job is one of those. Its queue and state have been seen to. */
    public boolean matches(JobSnapshot job) {
        return (id == null || job.id().startsWith(id))
                && (topic == null || topic.equals(job.job()))
                && (node == null || (job.node() != null && job.node().startsWith(node)))
                && (error == null || contains(job.lastError(), error))
                && due.includes(job.dueAt())
                && ended.includes(job.finishedAt())
                && died.includes(job.diedAt())
                && (fault == null || Fault.isOf(job.lastError(), fault))
                && (priorities.isEmpty() || priorities.contains(JobRow.priority(job)))
                && (key == null || key.equals(job.options().key()))
                && job.options().tags().containsAll(tags)
                && fields.entrySet().stream().allMatch(field -> has(job.param(), field.getKey(), field.getValue()));
    }

    private static boolean contains(@Nullable String text, String part) {
        return text != null && text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }

    private static boolean has(String param, String path, String wanted) {
        if (!param.contains(lastOf(path)) || (isPlain(wanted) && !param.contains(wanted))) {
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

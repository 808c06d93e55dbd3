package io.delayjob.journal.internal.tables;

import io.delayjob.EndedQuery;
import io.delayjob.JobState;
import io.delayjob.TimeRange;
import io.delayjob.engine.extension.EndedJobs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The jobs that have ended, in three orders that an index has: the last ones first; by id; and those with a mark, the last submitted first. A page is
 * some rows in one of these orders, without their content; of these, those that match are read by their numbers. So a page costs the same, however many jobs have ended and however few match.
 */
public final class EndedTable {

    /** How many rows a page looks at. */
    public static final int EXAMINED = 2000;

    /** How many of them are read at once. */
    private static final int READ = 500;

    /** A page ends when it has so many jobs. */
    private static final int ENOUGH = 200;

    private static final String FROM_JOBS = "seq, id, finished_at FROM delayjob_job";
    private static final String LIKE = " LIKE ? ESCAPE '!'";

    private final JdbcClient client;

    /**
     * A page.
     *
     * @param jobs the jobs that match, in order
     * @param examined how many rows were looked at
     * @param next where the next page begins; null if there is none
     */
    public record Page(
            List<JobRow> jobs, long examined, @Nullable EndedPlace next) {}

    /** A row without its content. */
    private record Row(long seq, String id, @Nullable Long finishedAt) {}

    public EndedTable(DataSource database) {
        this.client = JdbcClient.create(database);
    }

    /**
     * The next page of a search.
     *
     * @param marks of the bodies of wanted jobs
     * @param after the place that it begins behind; null for the beginning
     */
    public Page page(EndedQuery query, EndedJobs.Marks marks, @Nullable EndedPlace after) {
        List<Row> rows = rows(query, marks.index(), after);
        boolean more = rows.size() > EXAMINED;
        List<Row> looked = more ? looked(query, rows) : rows;
        List<JobRow> jobs = new ArrayList<>();
        int read = 0;
        while (read < looked.size() && jobs.size() < ENOUGH) {
            int end = end(query, looked, read);
            jobs.addAll(matching(query, marks, looked.subList(read, end)));
            read = end;
        }
        boolean all = read == looked.size() && !more;
        return new Page(jobs, read, all ? null : place(query, looked.get(read - 1)));
    }

    private List<Row> rows(EndedQuery query, @Nullable String mark, @Nullable EndedPlace after) {
        if (mark != null) {
            return marked(query, mark, after);
        }
        return query.idPrefix() == null ? lastFirst(query, after) : byId(query, query.idPrefix(), after);
    }

    /** Unfinished ones too, which count as looked at. */
    private List<Row> marked(EndedQuery query, String mark, @Nullable EndedPlace after) {
        Conditions where = new Conditions();
        where.and("m.queue = ?", query.queue());
        where.and("m.mark = ?", mark);
        if (after != null) {
            where.and("m.seq < ?", after.seq());
        }
        return rows(
                "m.seq, j.id, j.finished_at FROM delayjob_mark m JOIN delayjob_job j ON j.seq = m.seq",
                where,
                "ORDER BY m.queue, m.mark, m.seq DESC");
    }

    private List<Row> lastFirst(EndedQuery query, @Nullable EndedPlace after) {
        Conditions where = new Conditions();
        where.and("queue = ?", query.queue());
        where.and("finished_at IS NOT NULL");
        where.range("finished_at", query.ended());
        // Without a bound, H2 takes another index, and sorts all rows of the queue.
        where.and("finished_at <= ?", Long.MAX_VALUE);
        if (after != null) {
            where.and("finished_at <= ?", after.millis());
            where.and("(finished_at < ? OR seq < ?)", after.millis(), after.seq());
        }
        return rows(FROM_JOBS, where, "ORDER BY queue, finished_at DESC, seq DESC");
    }

    /** Unfinished ones too: the index has them, and they count as looked at. */
    private List<Row> byId(EndedQuery query, String prefix, @Nullable EndedPlace after) {
        Conditions where = new Conditions();
        where.and("queue = ?", query.queue());
        if (after == null) {
            where.and("id >= ?", prefix);
        } else {
            where.and("id > ?", after.id());
        }
        String end = Prefixes.endOf(prefix);
        if (end != null) {
            where.and("id < ?", end);
        }
        return rows(FROM_JOBS, where, "ORDER BY queue, id");
    }

    private List<Row> rows(String from, Conditions where, String order) {
        return client.sql("SELECT " + from + where.sql() + " " + order + " LIMIT " + (EXAMINED + 1))
                .params(where.values())
                .query((row, number) ->
                        new Row(row.getLong("seq"), row.getString("id"), JobColumns.number(row, "finished_at")))
                .list();
    }

    /** Without the rows of the last id, which may have more, unless all are of that id. */
    private static List<Row> looked(EndedQuery query, List<Row> rows) {
        if (!isById(query)) {
            return rows.subList(0, EXAMINED);
        }
        int end = rows.size();
        String last = rows.get(end - 1).id();
        while (end > 0 && rows.get(end - 1).id().equals(last)) {
            end--;
        }
        return end == 0 ? rows.subList(0, EXAMINED) : rows.subList(0, end);
    }

    /** Where a part to read ends: in the order of ids, not between rows of an id. */
    private static int end(EndedQuery query, List<Row> rows, int from) {
        int end = Math.min(rows.size(), from + READ);
        while (isById(query)
                && end < rows.size()
                && rows.get(end).id().equals(rows.get(end - 1).id())) {
            end++;
        }
        return end;
    }

    private static EndedPlace place(EndedQuery query, Row last) {
        return isById(query)
                ? EndedPlace.behind(last.id())
                : EndedPlace.behind(Objects.requireNonNullElse(last.finishedAt(), 0L), last.seq());
    }

    /** Whether the pages of a search are in the order of ids. */
    public static boolean isById(EndedQuery query) {
        return query.idPrefix() != null && query.indexed() == null;
    }

    private List<JobRow> matching(EndedQuery query, EndedJobs.Marks marks, List<Row> rows) {
        List<Long> seqs = rows.stream()
                .filter(row -> row.finishedAt() != null)
                .map(Row::seq)
                .toList();
        if (seqs.isEmpty()) {
            return List.of();
        }
        Conditions where = new Conditions();
        where.in("seq", seqs);
        where.and("finished_at IS NOT NULL");
        where.in("state", query.states().stream().map(JobState::name).toList());
        where.like("body", marks.name(), "", "%");
        where.like("body", query.text(), "%", "%");
        where.like("node", query.node(), "", "%");
        where.range("due_at", query.due());
        where.range("finished_at", query.ended());
        if (query.error() != null) {
            where.and("error IS NOT NULL");
        }
        Map<Long, Integer> places = new HashMap<>();
        rows.forEach(row -> places.put(row.seq(), places.size()));
        return client
                .sql("SELECT " + JobColumns.ALL + " FROM delayjob_job" + where.sql())
                .params(where.values())
                .query(JobColumns::row)
                .list()
                .stream()
                .filter(row -> isOf(query, row))
                .filter(row -> marks.index() == null || row.content().marks().contains(marks.index()))
                .sorted(order(query, places))
                .toList();
    }

    /** Checks a row for the conditions that databases compare in ways of their own: letters without case, and ids behind odd prefixes. */
    private static boolean isOf(EndedQuery query, JobRow row) {
        return (query.idPrefix() == null || row.id().startsWith(query.idPrefix()))
                && (query.error() == null || contains(row.status().error(), query.error()));
    }

    private static boolean contains(@Nullable String text, String part) {
        return text != null && text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }

    private static Comparator<JobRow> order(EndedQuery query, Map<Long, Integer> places) {
        Comparator<JobRow> asLookedAt = Comparator.comparing(row -> places.getOrDefault(row.seq(), 0));
        return isById(query)
                ? Comparator.comparing(JobRow::id, Prefixes.BYTES).thenComparing(JobRow::seq, Comparator.reverseOrder())
                : asLookedAt;
    }

    /** Conditions, all of which are to be true, and their values. */
    private static final class Conditions {

        private final List<String> texts = new ArrayList<>();
        private final List<Object> values = new ArrayList<>();

        void and(String condition, Object... its) {
            texts.add(condition);
            values.addAll(List.of(its));
        }

        /** One of these; nothing if there are none. */
        void in(String column, List<?> its) {
            if (!its.isEmpty()) {
                texts.add(column + its.stream().map(one -> "?").collect(Collectors.joining(", ", " IN (", ")")));
                values.addAll(its);
            }
        }

        void like(String column, @Nullable String text, String before, String after) {
            if (text != null) {
                and(column + LIKE, before + text.replaceAll("[!%_]", "!$0") + after);
            }
        }

        void range(String column, TimeRange range) {
            Instant from = range.from();
            Instant to = range.to();
            if (from != null) {
                and(column + " >= ?", from.toEpochMilli());
            }
            if (to != null) {
                and(column + " < ?", to.toEpochMilli());
            }
        }

        String sql() {
            return " WHERE " + String.join(" AND ", texts);
        }

        List<Object> values() {
            return values;
        }
    }
}

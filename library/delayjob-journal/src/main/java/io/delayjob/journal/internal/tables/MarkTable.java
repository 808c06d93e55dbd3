package io.delayjob.journal.internal.tables;

import io.delayjob.engine.ledger.JobContent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The index of the jobs: the marks of each row, which its body states. The database removes them with the row. A row may also have marks of a
 * content that it had before, so readers look at its body. Every method is part of the transaction of its thread.
 */
final class MarkTable {

    private final JdbcClient client;
    private final Insert<Mark> marks;

    /**
     * A job that was added.
     *
     * @param id its id
     * @param key the value that its row has in a column, and no other row of the id
     */
    record Added(String queue, String id, Long key, JobContent content) {}

    private record Mark(long seq, String queue, String mark) {}

    MarkTable(JdbcTemplate jdbc, Dialect dialect) {
        this.client = JdbcClient.create(jdbc);
        this.marks = Insert.leavingOut(
                jdbc,
                dialect,
                new Insert.Shape<>(
                        "delayjob_mark (seq, queue, mark)",
                        "(?, ?, ?)",
                        (to, mark) -> to.number(mark.seq()).text(mark.queue()).text(mark.mark()),
                        mark -> 100));
    }

    /**
     * Adds the marks of jobs that were just added.
     *
     * @param column the column that tells the row of a job from others of its id
     */
    void add(List<Added> jobs, String column) {
        List<Added> marked =
                jobs.stream().filter(job -> !job.content().marks().isEmpty()).toList();
        marked.stream()
                .collect(Collectors.groupingBy(Added::queue))
                .forEach((queue, its) -> Parts.each(its, JobTable.MOST_IDS, some -> add(queue, some, column)));
    }

    private void add(String queue, List<Added> jobs, String column) {
        Map<String, JobContent> contents = new HashMap<>();
        jobs.forEach(job -> contents.put(key(job.id(), job.key()), job.content()));
        List<Mark> found = new ArrayList<>();
        client.sql("SELECT seq, id, " + column
                        + " AS key_of_row FROM delayjob_job WHERE queue = :queue AND id IN (:ids)" + " AND " + column
                        + " IN (:keys)")
                .param("queue", queue)
                .param("ids", jobs.stream().map(Added::id).toList())
                .param("keys", jobs.stream().map(Added::key).distinct().toList())
                .query(row -> {
                    JobContent content = contents.get(key(row.getString("id"), row.getLong("key_of_row")));
                    found.addAll(content == null ? List.of() : marks(row.getLong("seq"), queue, content));
                });
        marks.add(found);
    }

    private static String key(String id, Long key) {
        return key + " " + id;
    }

    private static List<Mark> marks(long seq, String queue, JobContent content) {
        return content.marks().stream().map(mark -> new Mark(seq, queue, mark)).toList();
    }

    /** Adds the marks of rows that have new content; those of the old one stay. */
    void addTo(List<JobRow> rows) {
        marks.add(rows.stream()
                .flatMap(row -> marks(row.seq(), row.shard().queue(), row.content()).stream())
                .toList());
    }
}

package io.delayjob.journal.internal.writing;

import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.JobTable;
import java.util.ArrayList;
import java.util.List;
import org.springframework.dao.DataIntegrityViolationException;

/** Changes to make to the rows of jobs. */
final class Changes {

    private final List<JobRow> added = new ArrayList<>();
    private final List<JobRow> saved = new ArrayList<>();
    private final List<JobRow> contents = new ArrayList<>();
    private final List<Long> removed = new ArrayList<>();
    private final List<Long> overtaken = new ArrayList<>();

    /** Writes a row as it now is. */
    void put(JobRow row, boolean otherContent) {
        if (row.seq() == 0) {
            added.add(row);
            return;
        }
        saved.add(row);
        if (otherContent) {
            contents.add(row);
        }
    }

    /** Removes a row. */
    void remove(JobRow row) {
        removed.add(row.seq());
    }

    /** Takes its id from the job of another shard, whatever the writer of that shard makes of its row at the same time. */
    void overtake(JobRow row) {
        overtaken.add(row.seq());
    }

    /** Makes the changes; first those that free an id. */
    void make(JobTable jobs) {
        jobs.remove(removed);
        jobs.takeIds(overtaken);
        jobs.save(saved);
        jobs.saveContent(contents);
        if (jobs.add(added) < added.size()) {
            throw new DataIntegrityViolationException(
                    "the rows have changed since they were read: another job has an id of " + added.size()
                            + " that are new");
        }
    }
}

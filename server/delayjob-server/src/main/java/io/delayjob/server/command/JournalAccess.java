package io.delayjob.server.command;

import io.delayjob.DelayJobJournal;
import io.delayjob.JobRestore;
import io.delayjob.JobStep;
import io.delayjob.JournalDiff;
import io.delayjob.JournalScope;
import io.delayjob.RestoreReport;
import java.util.List;

/** Operations of a journal that commands use: in this process, or at a server. They do what those of {@link DelayJobJournal} do. */
interface JournalAccess {

    List<JobStep> history(String queue, String id, int limit);

    JournalDiff diff(JournalScope scope);

    RestoreReport restore(JobRestore restore);

    long clear(String queue, boolean forGood);

    /** To a journal of this process. */
    static JournalAccess to(DelayJobJournal journal) {
        return new JournalAccess() {

            @Override
            public List<JobStep> history(String queue, String id, int limit) {
                return journal.history(queue, id, limit);
            }

            @Override
            public JournalDiff diff(JournalScope scope) {
                return journal.diff(scope);
            }

            @Override
            public RestoreReport restore(JobRestore restore) {
                return journal.restore(restore);
            }

            @Override
            public long clear(String queue, boolean forGood) {
                return journal.clear(queue, forGood);
            }
        };
    }
}

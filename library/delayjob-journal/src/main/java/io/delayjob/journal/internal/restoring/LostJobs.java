package io.delayjob.journal.internal.restoring;

import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.JobTable;
import io.delayjob.journal.internal.tables.LiveJob;
import io.delayjob.journal.internal.tables.RelayTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds the unfinished jobs of a shard that the ledger does not have.
 *
 * <p>A job that the ledger does not have may have finished a moment ago: its row says so once the journal has what the ledger had logged
 * until then. So the ledger is asked first, then the journal catches up, and only then do the rows say which jobs are lost. A job that
 * the ledger did not have cannot finish afterwards, unless it is submitted anew under the same id.
 */
final class LostJobs {

    private final JobTable jobs;
    private final RelayTable relays;
    private final WrittenFlow written;
    private final Scope scope;
    private final RestoreCounts counts;

    LostJobs(Database database, WrittenFlow written, Scope scope, RestoreCounts counts) {
        this.jobs = database.jobs();
        this.relays = database.relays();
        this.written = written;
        this.scope = scope;
        this.counts = counts;
    }

    /**
     * The numbers of the rows of jobs that the ledger did not have, in order. Those that have finished since are still among them.
     *
     * @param goOn called before each page and each wait; throws if it is not to go on
     */
    List<Long> find(JournaledShard shard, Runnable goOn) {
        List<Long> lost = new ArrayList<>();
        String last = Flow.NOTHING;
        long after = 0;
        while (true) {
            goOn.run();
            List<LiveJob> page = page(shard.id(), after);
            if (page.isEmpty()) {
                break;
            }
            after = page.get(page.size() - 1).seq();
            List<LiveJob> candidates = candidates(page);
            if (!candidates.isEmpty()) {
                List<String> ids = candidates.stream().map(LiveJob::id).toList();
                Flow.Missing missing = Answers.repeated(() -> shard.ledger().missing(ids));
                last = missing.last();
                lost.addAll(lost(candidates, missing.ids()));
            }
        }
        countWithoutId(shard.id());
        if (!lost.isEmpty()) {
            written.await(shard.id(), last);
            goOn.run();
        }
        return lost;
    }

    private void countWithoutId(ShardId shard) {
        if (scope.id() == null) {
            long waiting = relays.waitingWithoutId(shard);
            counts.examined(waiting);
            counts.journaled(waiting);
        }
    }

    /**
     * The jobs that are held because the database went back: the ledger may have had them, and does not have them now.
     *
     * @param goOn called before each page; throws if it is not to go on
     */
    List<LiveJob> held(ShardId shard, Runnable goOn) {
        if (scope.id() != null) {
            return taken(relays.held(shard, scope.id()));
        }
        List<LiveJob> held = new ArrayList<>();
        List<LiveJob> page;
        LiveJob last = null;
        do {
            goOn.run();
            page = relays.held(shard, last, Ledger.MAX_BATCH);
            held.addAll(taken(page));
            last = page.isEmpty() ? null : page.get(page.size() - 1);
        } while (last != null);
        return held;
    }

    private List<LiveJob> page(ShardId shard, long after) {
        return scope.id() == null
                ? jobs.liveIds(shard, after, Ledger.MAX_BATCH)
                : jobs.liveIds(shard, scope.id()).stream()
                        .filter(job -> job.seq() > after)
                        .toList();
    }

    private List<LiveJob> candidates(List<LiveJob> page) {
        long coming = page.stream()
                .filter(job -> job.relayAt() != null && !job.isHeld())
                .count();
        counts.examined(coming);
        counts.journaled(coming);
        return taken(page.stream().filter(job -> job.relayAt() == null).toList());
    }

    private List<LiveJob> taken(List<LiveJob> examined) {
        List<LiveJob> taken =
                examined.stream().filter(job -> scope.takes(job.dueAt())).toList();
        counts.examined(examined.size());
        counts.skipped(examined.size() - taken.size());
        return taken;
    }

    private List<Long> lost(List<LiveJob> candidates, Set<String> missing) {
        List<Long> lost = candidates.stream()
                .filter(job -> missing.contains(job.id()))
                .map(LiveJob::seq)
                .toList();
        counts.present(candidates.size() - lost.size());
        return lost;
    }
}

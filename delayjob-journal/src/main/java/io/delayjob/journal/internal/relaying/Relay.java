package io.delayjob.journal.internal.relaying;

import io.delayjob.SubmitResult;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.JobRow;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings jobs of a shard to Redis: those that their node did not bring, and those whose time has come. */
final class Relay {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    /** The most characters of jobs in one call, unless a single job has more, so that no script takes long. */
    private static final int MOST_CHARACTERS = 512 * 1024;

    private final Database database;
    private final Function<ShardId, Ledger> ledgers;
    private final EngineSettings settings;

    Relay(Database database, Function<ShardId, Ledger> ledgers, EngineSettings settings) {
        this.database = database;
        this.ledgers = ledgers;
        this.settings = settings;
    }

    /**
     * Relays jobs that are still unconfirmed. The flow log is written to its end, and this thread's transaction has the shard: a job
     * that Redis has, or had, is no longer among them.
     *
     * @param seqs the rows of the jobs
     * @return whether there may be more
     */
    boolean relay(ShardId shard, Set<Long> seqs) {
        List<JobRow> ripe = database.jobs().toRelay(shard, database.jobs().now(), Ledger.MAX_BATCH).stream()
                .filter(row -> seqs.contains(row.seq()))
                .toList();
        List<JobRow> rows = first(ripe);
        if (!rows.isEmpty()) {
            long now = database.jobs().now();
            List<SubmitResult> results = answered(
                    ledgers.apply(shard),
                    rows.stream().map(row -> job(row, now)).toList());
            log.debug("relayed {} jobs to {}, the first: {}", rows.size(), shard, results.get(0));
        }
        return ripe.size() == Ledger.MAX_BATCH || rows.size() < ripe.size();
    }

    /** The first ones, as many as one call may have. */
    static List<JobRow> first(List<JobRow> rows) {
        long characters = 0;
        for (int i = 0; i < rows.size(); i++) {
            characters += rows.get(i).content().body().length();
            if (i > 0 && characters > MOST_CHARACTERS) {
                return rows.subList(0, i);
            }
        }
        return rows;
    }

    /** What is left of a delay counts by the database's clock until Redis has the job. */
    private static NewJob job(JobRow row, long now) {
        long dueAt = row.status().dueAt();
        NewJob.Due due =
                row.status().fromNow() ? new NewJob.Due(Math.max(0, dueAt - now), true) : new NewJob.Due(dueAt, false);
        return new NewJob(
                row.id(),
                due,
                row.content().leaseMillis(),
                row.content().dedupe(),
                row.content().body());
    }

    /** Each call has a lane of its own: it is rare, and another node may make the next one. */
    private List<SubmitResult> answered(Ledger ledger, List<NewJob> jobs) {
        Call call = new Call(settings.node() + ":relay:" + UUID.randomUUID(), 1);
        long patience = settings.submitting().timeout().toMillis();
        try {
            return ledger.submit(call, jobs).get(patience, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("Redis did not take " + jobs.size() + " jobs of the journal: " + e, e);
        }
    }
}

package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.FlowPosition;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.ShardRow;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the flow log of one shard. Used by one thread at a time, but for {@link #watch}. */
final class ShardWriter {

    private static final Logger log = LoggerFactory.getLogger(ShardWriter.class);

    /** After so many pages the other shards have their turn. */
    private static final int PAGES = 10;

    private final ShardId shard;
    private final Ledger ledger;
    private final long bound;
    private final Parts parts;
    private final Adoption adoption;
    private final ScheduleWriter schedules;
    private final LimitWriter limits;
    private final ShardVitals vitals = new ShardVitals();

    private volatile Known known = new Known(FlowPosition.START, false);

    private volatile CompletableFuture<?> watched = CompletableFuture.completedFuture(null);

    private boolean carefully;

    /** Whether the last visit left something. */
    private boolean more;

    /**
     * How far the shard was written when this node looked last.
     *
     * @param written the position
     * @param complete whether the tables knew all jobs of the shard then
     */
    private record Known(FlowPosition written, boolean complete) {}

    /** Parts shared by all shards of a node. */
    record Parts(Database database, ShardTurn turns, LossListener losses, BiConsumer<ShardId, Fence> fences) {}

    ShardWriter(ShardId shard, Ledger ledger, long bound, Parts parts) {
        this.shard = shard;
        this.ledger = ledger;
        this.bound = bound;
        this.parts = parts;
        this.schedules = new ScheduleWriter(shard, ledger, parts.database().schedules());
        this.limits = new LimitWriter(shard, ledger, parts.database().limits());
        this.adoption = new Adoption(shard, ledger, parts.database().jobs(), schedules, limits);
    }

    ShardId shard() {
        return shard;
    }

    ShardVitals vitals() {
        return vitals;
    }

    /** Result of a visit. */
    enum Found {
        /** Nothing to write. */
        NOTHING,
        /** Something was written, up to the end of the log. */
        SOMETHING,
        /** There is more. */
        MORE,
        /** Another node is writing. */
        BUSY
    }

    /** Keeps the flow log going, and asks how long it is: what a visit begins with. */
    CompletableFuture<Flow.Page> look() {
        return ask(known, 0);
    }

    /** Looks and visits, and waits for both. */
    Found visit(boolean beyond) {
        return visit(LedgerReply.of(look()), beyond);
    }

    /**
     * Writes what the flow log has; many pages, if there are.
     *
     * @param look the answer to {@link #look}
     * @param beyond whether to do what is to be done at the end of the log
     */
    Found visit(Flow.Page look, boolean beyond) {
        if (!beyond
                && !more
                && known.complete()
                && look.last().equals(known.written().toString())) {
            vitals.written(look);
            return Found.NOTHING;
        }
        more = true;
        try {
            Found found = write(beyond);
            more = found == Found.MORE;
            return found;
        } catch (RedisAway | AfterDrainFailed e) {
            throw e;
        } catch (RuntimeException e) {
            noteBehind();
            throw e;
        }
    }

    private Found write(boolean beyond) {
        int steps = 0;
        for (int page = 0; page < PAGES; page++) {
            Optional<ShardTurn.Done> done = turn(beyond);
            if (done.isEmpty()) {
                return busy();
            }
            steps += done.get().steps();
            AfterDrainFailed failure = done.get().failure();
            if (failure != null) {
                more = done.get().more();
                throw failure;
            }
            if (!done.get().more()) {
                return steps > 0 ? Found.SOMETHING : Found.NOTHING;
            }
        }
        return Found.MORE;
    }

    private Optional<ShardTurn.Done> turn(boolean beyond) {
        boolean now = carefully;
        carefully = false;
        try {
            ShardTurn.Task task =
                    new ShardTurn.Task(shard, this::page, this::newTerm, adoption, schedules, limits, now, beyond);
            Optional<ShardTurn.Done> done =
                    parts.database().own().execute(status -> parts.turns().take(task, status));
            done.ifPresent(this::committed);
            return done;
        } catch (RuntimeException e) {
            carefully = CarefulWriter.isAboutData(e);
            // What it has adopted was rolled back.
            adoption.restart();
            throw e;
        }
    }

    private void committed(ShardTurn.Done done) {
        known = new Known(done.written(), done.complete());
        vitals.wrote(done.steps());
        Flow.Page page = done.page();
        if (page.read().equals(page.last())) {
            vitals.written(page);
        } else if (!page.steps().isEmpty()) {
            vitals.behind(page, page.steps().get(page.steps().size() - 1).atMillis());
        }
        ShardRow.Lost lost = done.lost();
        if (lost != null) {
            tell(lost);
        }
        if (page.entries() > 1 && done.written().compareTo(FlowPosition.START) > 0) {
            LedgerReply.of(ledger.trimFlow(done.written().toString()));
        }
    }

    private void tell(ShardRow.Lost lost) {
        adoption.restart();
        log.error(Losses.message(shard, lost));
        try {
            parts.losses().lost(shard, lost.loss(), lost.atMillis());
        } catch (RuntimeException e) {
            log.error("what {} has lost is not restored", shard, e);
        }
    }

    private Found busy() {
        known = parts.database()
                .shards()
                .find(shard)
                .map(row -> new Known(row.written(), row.adopted()))
                .orElse(known);
        noteBehind();
        return Found.BUSY;
    }

    /**
     * Looks in Redis for what is not written if no visit has looked for a while, because the database does not answer, and so keeps the log
     * going. Called by another thread, and waits for nothing.
     */
    void watch(Duration unseen) {
        if (vitals.isOlderThan(unseen) && watched.isDone()) {
            watched = ask(known, 1).thenAccept(this::note).exceptionally(failure -> {
                log.debug("nothing is known of {}", shard, failure);
                return null;
            });
        }
    }

    /** Finds out since when something is not written. */
    private void noteBehind() {
        note(read(known, 1));
    }

    private void note(Flow.Page next) {
        if (next.steps().isEmpty()) {
            vitals.written(next);
        } else {
            vitals.behind(next, next.steps().get(0).atMillis());
        }
    }

    private Flow.Page page(FlowPosition after, boolean complete) {
        return read(new Known(after, complete), ShardTurn.PAGE);
    }

    private Flow.Page read(Known at, int limit) {
        return LedgerReply.of(ask(at, limit));
    }

    /** Reads the entries after a position. Reading also tells Redis that it has not gone back to a state from before that, if the tables know all jobs. */
    private CompletableFuture<Flow.Page> ask(Known at, int limit) {
        String from =
                at.written().equals(FlowPosition.START) ? null : at.written().toString();
        Flow.Request request = new Flow.Request(from, limit, bound, at.complete());
        return ledger.flow(request)
                .thenApply(page -> {
                    parts.fences().accept(shard, page.fence());
                    return page;
                })
                .orTimeout(LedgerReply.PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private void newTerm() {
        LedgerReply.of(ledger.raiseFence(Fence.newTerm()));
        LedgerReply.of(ledger.beginRestore(Fence.newTerm()));
    }
}

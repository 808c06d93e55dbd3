package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.pointing.PointedIds;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.ShardRow;
import io.delayjob.journal.internal.tables.ShardTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Writes the flow logs of all shards that are enlisted into the tables, together with the other nodes: each shard is written by
 * whichever node locks its row first. A few threads visit the shards.
 */
public final class FlowWriter implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(FlowWriter.class);
    private static final Duration REFRESH = Duration.ofSeconds(1);

    /** How often it asks for work beyond writing: jobs that a dead node left are to be in Redis within two seconds. */
    private static final Duration ASK = Duration.ofMillis(250);

    /** A shard that no thread has looked at for so long is looked at in Redis alone: the database may not answer, and claims would wait. */
    private static final Duration UNSEEN = Duration.ofMillis(1500);

    /** Stops after the engine, whose last steps are then written. */
    private static final int PHASE = DEFAULT_PHASE - 2048;

    private final ShardTable shards;
    private final Function<ShardId, Ledger> ledgers;
    private final Predicate<ShardId> journaled;
    private final AfterDrain after;
    private final WriterSettings settings;
    private final ShardWriter.Parts parts;
    private final WriterOutages outages = new WriterOutages();
    private final Schedule schedule = new Schedule();
    private final Schedule watch = new Schedule();
    private final Map<ShardId, Visit> visits = new ConcurrentHashMap<>();
    private final Set<ShardId> beyond = ConcurrentHashMap.newKeySet();
    private final Set<String> queues = ConcurrentHashMap.newKeySet();
    private final List<Consumer<String>> queueListeners = new CopyOnWriteArrayList<>();
    private volatile List<ShardRow> rows = List.of();
    private volatile boolean running;

    /**
     * Collaborators of the writer.
     *
     * @param ledgers opens the ledger of a shard
     * @param ids the ids that belong to other shards than their jobs
     * @param journaled whether an enlisted shard has a journal still
     * @param after the work at the end of a log
     * @param losses is called after a loss is recorded
     * @param fences gets the fence of a shard each time its log is read
     */
    public record Links(
            Function<ShardId, Ledger> ledgers,
            PointedIds ids,
            Predicate<ShardId> journaled,
            AfterDrain after,
            LossListener losses,
            BiConsumer<ShardId, Fence> fences) {}

    /** Writes nothing until it is started. */
    public FlowWriter(Database database, Links links, WriterSettings settings) {
        this.shards = database.shards();
        this.ledgers = links.ledgers();
        this.journaled = links.journaled();
        this.after = links.after();
        this.settings = settings;
        ShardTurn turns = new ShardTurn(database, links.ids(), after);
        this.parts = new ShardWriter.Parts(database, turns, links.losses(), links.fences());
    }

    @Override
    public synchronized void start() {
        if (!running) {
            running = true;
            schedule.add(this::refresh);
            schedule.add(this::askBeyond);
            schedule.start("delayjob-journal-writer", settings.threads());
            watch.add(this::watch);
            watch.start("delayjob-journal-watch", 1);
        }
    }

    @Override
    public synchronized void stop() {
        if (running) {
            running = false;
            try {
                schedule.stop(settings.stopTime());
                watch.stop(Duration.ZERO);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            visits.clear();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Looks which shards there are, and what was lost. */
    private Duration refresh() {
        try {
            rows = shards.rows().stream()
                    .filter(row -> journaled.test(row.id()))
                    .toList();
            follow(rows);
            rows.stream().filter(row -> !row.adopted()).map(ShardRow::id).forEach(this::doBeyond);
            outages.database().over("all shards");
            return REFRESH;
        } catch (RuntimeException e) {
            return outages.database().failed("all shards", e);
        }
    }

    /** Never asks the database, and waits for no shard. */
    private Duration watch() {
        visits.values().forEach(visit -> visit.writer().watch(UNSEEN));
        return REFRESH;
    }

    private Duration askBeyond() {
        try {
            after.waiting().forEach(this::doBeyond);
            outages.database().over("waiting jobs");
            return ASK;
        } catch (RuntimeException e) {
            return outages.database().failed("waiting jobs", e);
        }
    }

    private void follow(List<ShardRow> now) {
        Set<ShardId> ids = new HashSet<>();
        now.forEach(row -> ids.add(row.id()));
        visits.entrySet().removeIf(known -> {
            boolean gone = !ids.contains(known.getKey());
            if (gone) {
                known.getValue().end();
            }
            return gone;
        });
        ids.forEach(id -> visits.computeIfAbsent(id, this::begin));
        ids.stream().map(ShardId::queue).distinct().forEach(this::announce);
    }

    private void announce(String queue) {
        if (queues.add(queue)) {
            queueListeners.forEach(listener -> listener.accept(queue));
        }
    }

    private Visit begin(ShardId shard) {
        ShardWriter writer = new ShardWriter(shard, ledgers.apply(shard), settings.maxFlowEntries(), parts);
        Visit visit = new Visit(writer, schedule, outages, () -> beyond.remove(shard));
        schedule.add(visit);
        log.debug("the flow log of {} is written", shard);
        return visit;
    }

    private void doBeyond(ShardId shard) {
        if (beyond.add(shard)) {
            hurry(shard);
        }
    }

    /** Visits a shard now. */
    public void hurry(ShardId shard) {
        Visit visit = visits.get(shard);
        if (visit != null) {
            schedule.hurry(visit);
        }
    }

    /** Waits for what any node writes. */
    public CatchUp catchUp() {
        return new CatchUp(shards, this::hurry);
    }

    /** Is told of each queue that is written, those that are written already included. */
    void onQueue(Consumer<String> listener) {
        queueListeners.add(listener);
        queues.forEach(listener);
    }

    /** The queues that are or were written. */
    public Set<String> queues() {
        return Set.copyOf(queues);
    }

    /** How far a queue is written, as this node knows it. */
    public QueueState state(String queue) {
        List<ShardVitals> vitals = visits.values().stream()
                .map(Visit::writer)
                .filter(writer -> writer.shard().queue().equals(queue))
                .map(ShardWriter::vitals)
                .toList();
        List<QueueState.LostShard> lost = new ArrayList<>();
        for (ShardRow row : rows) {
            ShardRow.Lost what = row.lost();
            if (what != null && row.id().queue().equals(queue)) {
                lost.add(new QueueState.LostShard(row.id(), what));
            }
        }
        return new QueueState(
                vitals.stream().mapToLong(ShardVitals::lagMillis).max().orElse(0),
                after.lagMillis(queue),
                vitals.stream().mapToLong(ShardVitals::entries).max().orElse(0),
                settings.maxFlowEntries(),
                lost);
    }

    /** How many steps of a queue this node has written. */
    double steps(String queue) {
        return visits.values().stream()
                .map(Visit::writer)
                .filter(writer -> writer.shard().queue().equals(queue))
                .mapToLong(writer -> writer.vitals().steps())
                .sum();
    }

    /** How many jobs of a queue this node has brought to Redis. */
    double relayed(String queue) {
        return after.done(queue);
    }

    /** Since when the database cannot be written, by this node's clock; empty if it can. */
    public Optional<Instant> databaseAwaySince() {
        return outages.database().since();
    }

    /** Since when the flow logs of Redis cannot be read, by this node's clock; empty if they can. */
    public Optional<Instant> redisAwaySince() {
        return outages.redis().since();
    }
}

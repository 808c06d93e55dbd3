package io.delayjob.engine.internal.recurring;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobSchedules;
import io.delayjob.Explanation;
import io.delayjob.Schedule;
import io.delayjob.ScheduleBackfill;
import io.delayjob.ScheduleExplanation;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.SubmitResult;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.handler.DeclaredSchedule;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.recurring.ScheduleShards.Located;
import io.delayjob.engine.internal.submitting.JobWriter;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ScheduleNames;
import io.delayjob.engine.ledger.StoredSchedule;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores schedules and acts on them. Thread-safe. */
public final class ScheduleAdmin implements DelayJobSchedules {

    private static final Logger log = LoggerFactory.getLogger(ScheduleAdmin.class);

    private static final int MOST_WARNINGS = 100;

    private final ScheduleShards shards;
    private final ScheduleReader reader;
    private final SchedulePuts puts;
    private final DelayJobAdmin admin;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /** The schedules that this application declares, each with its queue. */
    private final Map<String, String> declared = new ConcurrentHashMap<>();

    /**
     * Acts on the schedules of all queues.
     *
     * @param names the names of all schedules
     * @param admin explains occurrences
     * @param events is told of occurrences that are cancelled
     * @param used is told of the queue of a schedule that is stored
     */
    public ScheduleAdmin(
            JobWriter writer,
            Queues queues,
            Supplier<ScheduleNames> names,
            DelayJobAdmin admin,
            JobEvents events,
            Consumer<String> used) {
        this.shards = new ScheduleShards(queues, names);
        this.reader = new ScheduleReader(writer, new DefinitionCodec());
        this.puts = new SchedulePuts(writer, shards, reader, events, used);
        this.admin = admin;
    }

    @Override
    public ScheduleSnapshot put(Schedule schedule) {
        return puts.put(schedule, false);
    }

    /** Stores a schedule that this application declares, or removes one that it does not want, unless the stored one has a higher revision. */
    public void declare(DeclaredSchedule wanted) {
        puts.declare(wanted)
                .ifPresent(stored -> declared.put(
                        stored.schedule().name(),
                        String.valueOf(stored.schedule().queue())));
    }

    /** Notes again that this application declares the schedules that it has stored, so that they count as declared while it runs. */
    public void declareAgain() {
        declared.entrySet().stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getValue, Collectors.mapping(Map.Entry::getKey, Collectors.toList())))
                .forEach((queue, names) -> shards.declare(queue, names, true));
    }

    @Override
    public Optional<ScheduleSnapshot> find(String name) {
        return shards.located(name).map(located -> snapshot(located.stored()));
    }

    @Override
    public List<ScheduleSnapshot> list() {
        return shards.all().stream()
                .flatMap(stored -> listed(stored).stream())
                .sorted(Comparator.comparing(one -> one.schedule().name()))
                .toList();
    }

    @Override
    public Optional<String> queueOf(String name) {
        return shards.queueOf(name);
    }

    @Override
    public int count() {
        return shards.count();
    }

    /** The snapshot of a schedule, which is no orphan if this application declares it. */
    private ScheduleSnapshot snapshot(StoredSchedule stored) {
        return reader.snapshot(declared.containsKey(stored.name()) ? stored.undeclaredSince(null) : stored);
    }

    /** The snapshot, if the definition can be read: one that is not must not hide the others. */
    private Optional<ScheduleSnapshot> listed(StoredSchedule stored) {
        try {
            return Optional.of(snapshot(stored));
        } catch (IllegalArgumentException e) {
            if (warned.size() < MOST_WARNINGS && warned.add(stored.name() + stored.version())) {
                log.warn("schedule '{}' is not listed: {}", stored.name(), e.getMessage());
            }
            return Optional.empty();
        }
    }

    @Override
    public boolean remove(String name) {
        return shards.remove(name);
    }

    @Override
    public boolean pause(String name) {
        return paused(name, true);
    }

    @Override
    public boolean resume(String name) {
        return paused(name, false);
    }

    private boolean paused(String name, boolean paused) {
        return shards.located(name)
                .map(located ->
                        Futures.await(ScheduleShards.schedules(located.shard()).pause(name, paused)))
                .orElse(false);
    }

    @Override
    public Optional<SubmitResult> trigger(String name) {
        return shards.located(name).map(located -> {
            Shard shard = located.shard();
            Instant now = Instant.ofEpochMilli(located.found().nowMillis());
            NewJob job = new NewJob(
                    shards.queues().idIn(shard.id(), Planner.id(name, now) + "~extra"),
                    new NewJob.Due(0, true),
                    reader.codec().read(name, located.stored().definition()).occurrence(now));
            return Futures.await(shard.submit(List.of(job)).get(0));
        });
    }

    @Override
    public Optional<ScheduleBackfill> backfill(String name, Instant from, Instant to, int perSecond, boolean dryRun) {
        Backfill.checkPerSecond(perSecond);
        return shards.located(name).map(located -> {
            Shard shard = located.shard();
            StoredSchedule stored = located.stored();
            long now = located.found().nowMillis();
            Backfill backfill = Backfill.of(
                    stored,
                    reader.codec().read(name, stored.definition()),
                    now,
                    from,
                    to,
                    dryRun ? ScheduleBackfill.MOST_COUNTED : ScheduleBackfill.MOST);
            return dryRun
                    ? backfill.counted(0)
                    : backfill.submit(
                            shard, now, perSecond, id -> shards.queues().idIn(shard.id(), id));
        });
    }

    @Override
    public ScheduleExplanation explain(String name) {
        return shards.located(name).map(this::explain).orElseGet(() -> ScheduleExplainer.unknown(name));
    }

    private ScheduleExplanation explain(Located located) {
        String name = located.stored().name();
        Optional<Definition> definition = reader.definition(located.stored());
        if (shards.isMisplaced(located, definition.map(Definition::place).orElse(name))) {
            return ScheduleExplainer.misplaced(name);
        }
        if (definition.isEmpty()) {
            return ScheduleExplainer.unreadable(name);
        }
        ScheduleSnapshot one = snapshot(located.stored());
        Shard shard = located.shard();
        Instant now = Instant.ofEpochMilli(located.found().nowMillis());
        Instant resumed = Instant.ofEpochMilli(located.stored().sinceMillis());
        return new ScheduleExplainer(one, resumed, now, isConsumed(shard), last(shard, one)).explain();
    }

    private static boolean isConsumed(Shard shard) {
        return !Futures.await(shard.ledger().fleet()).nodes().isEmpty();
    }

    /** The explanation of the last occurrence; null if there is none, or it has finished. */
    private @Nullable Explanation last(Shard shard, ScheduleSnapshot one) {
        if (one.lastId() == null) {
            return null;
        }
        Explanation last = admin.explain(shard.id().queue(), one.lastId());
        return switch (last.reason()) {
            case NO_SUCH_JOB, COMPLETED, CANCELLED -> null;
            default -> last;
        };
    }
}

package io.delayjob.engine.internal.recurring;

import io.delayjob.DelayJobException;
import io.delayjob.DelayJobRequest;
import io.delayjob.DelayJobSchedules;
import io.delayjob.JobOptions;
import io.delayjob.Schedule;
import io.delayjob.ScheduleInstants;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.SubmitResult;
import io.delayjob.engine.handler.DeclaredSchedule;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.submitting.JobWriter;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ScheduleNames;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.Schedules.Found;
import io.delayjob.engine.ledger.StoredSchedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores schedules and acts on them. Thread-safe. */
public final class ScheduleAdmin implements DelayJobSchedules {

    private static final Logger log = LoggerFactory.getLogger(ScheduleAdmin.class);

    /** How often a put is tried while others change the same schedule. */
    private static final int TRIES = 10;

    private final JobWriter writer;
    private final Queues queues;
    private final Supplier<ScheduleNames> names;
    private final Consumer<String> used;
    private final DefinitionCodec definitions = new DefinitionCodec();

    /**
     * Acts on the schedules of all queues.
     *
     * @param names the names of all schedules
     * @param used is told of the queue of a schedule that is stored
     */
    public ScheduleAdmin(JobWriter writer, Queues queues, Supplier<ScheduleNames> names, Consumer<String> used) {
        this.writer = writer;
        this.queues = queues;
        this.names = names;
        this.used = used;
    }

    @Override
    public ScheduleSnapshot put(Schedule schedule) {
        return put(schedule, false);
    }

    /** Stores a schedule that this application declares, or removes one that it does not want, unless the stored one has a higher revision. */
    public void declare(DeclaredSchedule declared) {
        Schedule schedule = declared.schedule();
        if (declared.wanted()) {
            put(schedule, true);
        } else if (found(schedule.name())
                .filter(stored -> stored.schedule().revision() <= schedule.revision())
                .isPresent()) {
            remove(schedule.name());
        }
    }

    private ScheduleSnapshot put(Schedule schedule, boolean declared) {
        DelayJobRequest<?> request = writer.withPriority(request(schedule));
        String queue = writer.queue(request);
        String definition =
                definitions.write(schedule, queue, writer.content(request).record());
        Shard shard = queues.shard(queue, schedule.name());
        Long left = null;
        for (int n = 0; n < TRIES; n++) {
            Place place = take(schedule.name(), queue, declared ? schedule.revision() : Integer.MAX_VALUE);
            if (!place.taken()) {
                return found(schedule.name()).orElseThrow(() -> changed(schedule.name()));
            }
            left = place.lastMillis() == null ? left : place.lastMillis();
            Found found = read(shard, schedule.name());
            StoredSchedule known =
                    found.schedules().isEmpty() ? null : found.schedules().get(0);
            if (known != null && (known.definition().equals(definition) || declared && isOlder(schedule, known))) {
                return snapshot(known);
            }
            if (known != null && isDue(known, found)) {
                Futures.await(schedules(shard).fire(plan(shard, known, found)));
                continue;
            }
            Schedules.Put put = new Schedules.Put(
                    schedule.name(),
                    known == null ? null : known.version(),
                    definition,
                    next(schedule, found.nowMillis(), known == null ? left : known.lastMillis()),
                    left);
            if (Futures.await(schedules(shard).put(put)) > 0) {
                used.accept(queue);
                return snapshot(read(shard, schedule.name()).schedules().get(0));
            }
        }
        throw changed(schedule.name());
    }

    private static DelayJobException changed(String name) {
        return new DelayJobException(
                "schedule '" + name + "' was changed by others at the same time: look at it and try again", null);
    }

    private static DelayJobRequest<?> request(Schedule schedule) {
        JobOptions options = schedule.options();
        if (options.dedupe() != null) {
            throw new IllegalArgumentException("schedule '" + schedule.name()
                    + "' has the dedupe key '" + options.dedupe().key()
                    + "': leave it out, and choose with overlap what happens while the occurrence before is not over");
        }
        return new DelayJobRequest<>(
                null, schedule.topic(), schedule.param(), null, schedule.queue(), options, null, schedule.headers());
    }

    /**
     * The queue of a schedule.
     *
     * @param taken false if it stays in another one
     * @param lastMillis the last instant that was decided in the queue that it leaves
     */
    private record Place(boolean taken, @Nullable Long lastMillis) {}

    /** Records the queue of a schedule, and removes the schedule from another queue, unless it has a higher revision there. */
    private Place take(String name, String queue, int revision) {
        Optional<String> before = Futures.await(names.get().queueOf(name)).filter(other -> !other.equals(queue));
        Long last = null;
        if (before.isPresent()) {
            Shard left = queues.shard(before.get(), name);
            Found found = read(left, name);
            for (StoredSchedule known : found.schedules()) {
                if (definition(known)
                        .map(it -> it.schedule().revision() > revision)
                        .orElse(false)) {
                    return new Place(false, null);
                }
                last = known.lastMillis();
            }
            Futures.await(schedules(left).remove(name));
        }
        return new Place(
                Futures.await(names.get().put(name, queue, before.orElse(null))).equals(queue), last);
    }

    private boolean isOlder(Schedule declared, StoredSchedule known) {
        Optional<Definition> stored = definition(known);
        int revision = stored.map(it -> it.schedule().revision()).orElse(Integer.MAX_VALUE);
        if (revision > declared.revision()) {
            log.info(
                    "schedule '{}' stays as it is: its revision {} is higher than {}, that of this application",
                    declared.name(),
                    revision,
                    declared.revision());
        } else if (revision == declared.revision()) {
            log.warn(
                    "schedule '{}' is changed to the definition of this application, though both have the revision {}. Raise the revision"
                            + " with each change, so that an older release that starts later does not take the change back",
                    declared.name(),
                    revision);
        }
        return revision > declared.revision();
    }

    private static boolean isDue(StoredSchedule known, Found found) {
        return !known.paused() && known.nextMillis() != null && known.nextMillis() <= found.nowMillis();
    }

    private List<Schedules.Proposal> plan(Shard shard, StoredSchedule known, Found found) {
        return new Planner(
                        known,
                        definitions.read(known.name(), known.definition()),
                        found.nowMillis(),
                        id -> queues.idIn(shard.id(), id))
                .proposals();
    }

    private static @Nullable Long next(Schedule schedule, long nowMillis, @Nullable Long lastMillis) {
        long after = lastMillis == null ? nowMillis : Math.max(nowMillis, lastMillis);
        Instant next = ScheduleInstants.of(schedule).next(Instant.ofEpochMilli(after));
        return next == null ? null : next.toEpochMilli();
    }

    @Override
    public Optional<ScheduleSnapshot> find(String name) {
        return found(name);
    }

    private Optional<ScheduleSnapshot> found(String name) {
        return shard(name).map(shard -> read(shard, name)).stream()
                .flatMap(found -> found.schedules().stream())
                .map(this::snapshot)
                .findFirst();
    }

    @Override
    public List<ScheduleSnapshot> list() {
        Map<Shard, List<String>> byShard = Futures.await(names.get().all()).entrySet().stream()
                .collect(Collectors.groupingBy(
                        named -> queues.shard(named.getValue(), named.getKey()),
                        Collectors.mapping(Map.Entry::getKey, Collectors.toList())));
        List<ScheduleSnapshot> all = new ArrayList<>();
        byShard.forEach((shard, some) -> {
            for (int i = 0; i < some.size(); i += Ledger.MAX_BATCH) {
                List<String> page = some.subList(i, Math.min(some.size(), i + Ledger.MAX_BATCH));
                Futures.await(schedules(shard).find(page)).schedules().forEach(stored -> all.add(snapshot(stored)));
            }
        });
        all.sort(Comparator.comparing(one -> one.schedule().name()));
        return all;
    }

    @Override
    public boolean remove(String name) {
        Optional<Shard> shard = shard(name);
        boolean removed =
                shard.isPresent() && Futures.await(schedules(shard.get()).remove(name));
        shard.ifPresent(was -> Futures.await(names.get().remove(name, was.id().queue())));
        return removed;
    }

    @Override
    public boolean pause(String name) {
        return shard(name)
                .map(shard -> Futures.await(schedules(shard).pause(name, true)))
                .orElse(false);
    }

    @Override
    public boolean resume(String name) {
        return shard(name)
                .map(shard -> Futures.await(schedules(shard).pause(name, false)))
                .orElse(false);
    }

    @Override
    public Optional<SubmitResult> trigger(String name) {
        return shard(name).flatMap(shard -> {
            Found found = read(shard, name);
            Instant now = Instant.ofEpochMilli(found.nowMillis());
            return found.schedules().stream().findFirst().map(stored -> {
                String id = queues.idIn(shard.id(), Planner.id(name, now) + "~extra");
                NewJob job = new NewJob(
                        id,
                        new NewJob.Due(0, true),
                        definitions.read(name, stored.definition()).occurrence(now));
                return Futures.await(shard.submit(List.of(job)).get(0));
            });
        });
    }

    private Optional<Shard> shard(String name) {
        return Futures.await(names.get().queueOf(name)).map(queue -> queues.shard(queue, name));
    }

    private static Schedules schedules(Shard shard) {
        return shard.ledger().schedules();
    }

    private static Found read(Shard shard, String name) {
        return Futures.await(schedules(shard).find(List.of(name)));
    }

    private Optional<Definition> definition(StoredSchedule stored) {
        try {
            return Optional.of(definitions.read(stored.name(), stored.definition()));
        } catch (IllegalArgumentException e) {
            log.debug("not readable", e);
            return Optional.empty();
        }
    }

    private ScheduleSnapshot snapshot(StoredSchedule stored) {
        Definition definition = definitions.read(stored.name(), stored.definition());
        return new ScheduleSnapshot(
                definition.whole(
                        writer.param(definition.job().job(), definition.job().param())),
                stored.paused(),
                instant(stored.nextMillis()),
                instant(stored.lastMillis()),
                stored.fired(),
                stored.skipped(),
                stored.job(),
                stored.decisions().stream().map(ScheduleAdmin::decision).toList());
    }

    private static ScheduleSnapshot.Decision decision(StoredSchedule.Decided decided) {
        return new ScheduleSnapshot.Decision(
                Instant.ofEpochMilli(decided.instantMillis()),
                decided.instants(),
                present(decided.job()),
                present(decided.reason()));
    }

    private static @Nullable String present(String text) {
        return text.isEmpty() ? null : text;
    }

    private static @Nullable Instant instant(@Nullable Long millis) {
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }
}

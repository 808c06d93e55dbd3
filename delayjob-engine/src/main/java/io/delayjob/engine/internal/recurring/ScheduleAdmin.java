package io.delayjob.engine.internal.recurring;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobRequest;
import io.delayjob.DelayJobSchedules;
import io.delayjob.Explanation;
import io.delayjob.JobOptions;
import io.delayjob.Schedule;
import io.delayjob.ScheduleBackfill;
import io.delayjob.ScheduleExplanation;
import io.delayjob.ScheduleInstants;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.SubmitResult;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.handler.DeclaredSchedule;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.submitting.JobWriter;
import io.delayjob.engine.ledger.JobContent;
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

    /** How often a put is tried while others change the same schedule. */
    private static final int TRIES = 10;

    /** How many rounds decide the instants that have come, before a definition is replaced. */
    private static final int ROUNDS = 100;

    /** The most characters of a definition. */
    private static final int LONGEST = 128 * 1024;

    private static final int MOST_WARNINGS = 100;

    private final JobWriter writer;
    private final Queues queues;
    private final Supplier<ScheduleNames> names;
    private final DelayJobAdmin admin;
    private final JobEvents events;
    private final Consumer<String> used;
    private final DefinitionCodec definitions = new DefinitionCodec();
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

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
        this.writer = writer;
        this.queues = queues;
        this.names = names;
        this.admin = admin;
        this.events = events;
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
        String name = schedule.name();
        DelayJobRequest<?> request = writer.withPriority(request(schedule));
        String queue = writer.queue(request);
        String definition = checked(
                name, definitions.write(schedule, queue, writer.content(request).record()));
        Shard shard = queues.shard(queue, name);
        Long left = null;
        boolean paused = false;
        for (int n = 0; n < TRIES; n++) {
            Place place = take(schedule, queue, declared);
            left = place.lastMillis() == null ? left : place.lastMillis();
            paused |= place.paused();
            if (place.taking() == Taking.STAYS) {
                return found(name).orElseThrow(() -> changed(name));
            } else if (place.taking() == Taking.LOST) {
                continue;
            }
            Found found = read(shard, name);
            StoredSchedule known = first(found);
            Optional<Located> misplaced = known == null ? inOtherShards(name, shard) : Optional.empty();
            if (misplaced.isPresent()) {
                StoredSchedule stored = misplaced.get().stored();
                left = stored.lastMillis() == null ? left : stored.lastMillis();
                paused |= stored.paused();
            }
            if (known != null && (known.definition().equals(definition) || declared && isOlder(schedule, known))) {
                return snapshot(known);
            }
            Found settled = settled(shard, found);
            Schedules.Put put = new Schedules.Put(
                    name,
                    known == null ? null : known.version(),
                    definition,
                    next(schedule, settled.nowMillis(), known == null ? left : lastMillis(settled)),
                    left,
                    paused);
            if (Futures.await(schedules(shard).put(put)) > 0 && isNamed(name, shard)) {
                misplaced.ifPresent(
                        located -> Futures.await(schedules(located.shard()).remove(name)));
                used.accept(queue);
                return Optional.ofNullable(first(read(shard, name)))
                        .map(this::snapshot)
                        .orElseThrow(() -> changed(name));
            }
        }
        throw changed(name);
    }

    /** A schedule that was stored when its queue had another number of shards: nobody fires it where it is. */
    private Optional<Located> inOtherShards(String name, Shard shard) {
        return queues.shards(shard.id().queue()).stream()
                .filter(other -> !other.id().equals(shard.id()))
                .map(other -> new Located(other, read(other, name)))
                .filter(located -> !located.found().schedules().isEmpty())
                .findFirst();
    }

    /** The definition, if its occurrences can be stored. */
    private String checked(String name, String definition) {
        if (definition.length() > LONGEST) {
            throw new IllegalArgumentException("the definition of schedule '" + name + "' has " + definition.length()
                    + " characters, and must have at most " + LONGEST
                    + " with its param and headers: store what is large elsewhere, and let the param name it");
        }
        Definition read = definitions.read(name, definition);
        try {
            // An instant with milliseconds, which has the longest text.
            JobContent unused = read.occurrence(Instant.ofEpochMilli(1));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "schedule '" + name + "' has too much in its headers, to which each occurrence adds "
                            + SCHEDULE_HEADER + " and " + INSTANT_HEADER + ": " + e.getMessage(),
                    e);
        }
        return definition;
    }

    /**
     * Whether a schedule that was stored has its name. If it belongs to another queue by now, nobody would find it here, and it is removed.
     */
    private boolean isNamed(String name, Shard shard) {
        String queue = shard.id().queue();
        boolean named = Futures.await(names.get().put(name, queue, null)).equals(queue);
        if (!named) {
            Futures.await(schedules(shard).remove(name));
        }
        return named;
    }

    /** The schedule after what is due by its definition was decided; instants that wait for the occurrence before are skipped. */
    private Found settled(Shard shard, Found found) {
        Found last = found;
        boolean waits = false;
        for (int n = 0; n < ROUNDS && isDue(last); n++) {
            StoredSchedule known = last.schedules().get(0);
            List<Schedules.Proposal> proposals = waits
                    ? Planner.skips(known, definitions, last.nowMillis())
                    : Planner.proposals(known, definitions, last.nowMillis(), shard.id(), queues);
            waits = Futures.await(new Firing(shard, events).fire(proposals))
                    .decisions()
                    .contains(Schedules.Decision.WAITS);
            last = read(shard, known.name());
        }
        return last;
    }

    private static @Nullable StoredSchedule first(Found found) {
        return found.schedules().isEmpty() ? null : found.schedules().get(0);
    }

    private static @Nullable Long lastMillis(Found found) {
        StoredSchedule known = first(found);
        return known == null ? null : known.lastMillis();
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

    /** Whether a queue has a schedule. */
    private enum Taking {
        TAKEN,
        /** Its revision is higher in another queue. */
        STAYS,
        /** Others took it to another queue at the same time. */
        LOST
    }

    /**
     * The queue of a schedule.
     *
     * @param taking whether it has the schedule
     * @param lastMillis the last instant that was decided in the queue that the schedule leaves
     * @param paused whether it was paused there
     */
    private record Place(Taking taking, @Nullable Long lastMillis, boolean paused) {}

    /**
     * Records the queue of a schedule, and removes the schedule from another queue after its instants that have come were decided, unless it
     * has a higher revision there.
     */
    private Place take(Schedule schedule, String queue, boolean declared) {
        String name = schedule.name();
        Optional<String> before = Futures.await(names.get().queueOf(name)).filter(other -> !other.equals(queue));
        StoredSchedule left = null;
        if (before.isPresent()) {
            Shard shard = queues.shard(before.get(), name);
            Found found = read(shard, name);
            left = first(found);
            if (left != null) {
                Optional<Definition> definition = definition(left);
                if (declared
                        && definition
                                .map(it -> it.schedule().revision() > schedule.revision())
                                .orElse(true)) {
                    return new Place(Taking.STAYS, null, false);
                }
                left = definition.isPresent() ? first(settled(shard, found)) : left;
            }
            Futures.await(schedules(shard).remove(name));
        }
        boolean taken =
                Futures.await(names.get().put(name, queue, before.orElse(null))).equals(queue);
        return new Place(
                taken ? Taking.TAKEN : Taking.LOST,
                left == null ? null : left.lastMillis(),
                left != null && left.paused());
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

    private static boolean isDue(Found found) {
        StoredSchedule known = first(found);
        return known != null
                && !known.paused()
                && known.nextMillis() != null
                && known.nextMillis() <= found.nowMillis();
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
        return located(name).map(located -> snapshot(located.stored()));
    }

    /**
     * A schedule and the shard that it is in.
     *
     * @param found the schedule alone
     */
    private record Located(Shard shard, Found found) {

        StoredSchedule stored() {
            return found.schedules().get(0);
        }
    }

    private Optional<Located> located(String name) {
        return Futures.await(names.get().queueOf(name)).flatMap(queue -> {
            Shard shard = queues.shard(queue, name);
            Located located = new Located(shard, read(shard, name));
            return located.found().schedules().isEmpty() ? inOtherShards(name, shard) : Optional.of(located);
        });
    }

    private boolean isMisplaced(Located located) {
        Shard shard = located.shard();
        return !queues.shard(shard.id().queue(), located.stored().name()).id().equals(shard.id());
    }

    @Override
    public List<ScheduleSnapshot> list() {
        Map<Shard, List<String>> byShard = Futures.await(names.get().all()).entrySet().stream()
                .collect(Collectors.groupingBy(
                        named -> queues.shard(named.getValue(), named.getKey()),
                        Collectors.mapping(Map.Entry::getKey, Collectors.toList())));
        List<ScheduleSnapshot> all = new ArrayList<>();
        byShard.forEach((shard, some) -> {
            List<StoredSchedule> found = new ArrayList<>(found(shard, some));
            if (found.size() < some.size()) {
                List<String> missing = new ArrayList<>(some);
                missing.removeAll(found.stream().map(StoredSchedule::name).toList());
                queues.shards(shard.id().queue()).stream()
                        .filter(other -> !other.id().equals(shard.id()))
                        .forEach(other -> found.addAll(found(other, missing)));
            }
            found.forEach(stored -> listed(stored).ifPresent(all::add));
        });
        all.sort(Comparator.comparing(one -> one.schedule().name()));
        return all;
    }

    private static List<StoredSchedule> found(Shard shard, List<String> names) {
        List<StoredSchedule> found = new ArrayList<>();
        for (int i = 0; i < names.size(); i += Ledger.MAX_BATCH) {
            List<String> page = names.subList(i, Math.min(names.size(), i + Ledger.MAX_BATCH));
            found.addAll(Futures.await(schedules(shard).find(page)).schedules());
        }
        return found;
    }

    @Override
    public Optional<String> queueOf(String name) {
        return Futures.await(names.get().queueOf(name));
    }

    @Override
    public int count() {
        return Futures.await(names.get().all()).size();
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
        Optional<String> queue = Futures.await(names.get().queueOf(name));
        boolean removed = queue.isPresent() && remove(name, queue.get());
        // A put at the same time may have stored the schedule again before its name was removed.
        queue.ifPresent(was -> {
            Futures.await(names.get().remove(name, was));
            remove(name, was);
        });
        return removed;
    }

    /** Removes a schedule from all shards of a queue, also from one where it is since the queue had another number of them. */
    private boolean remove(String name, String queue) {
        return queues.shards(queue).stream().map(shard -> schedules(shard).remove(name)).toList().stream()
                .map(Futures::await)
                .reduce(false, Boolean::logicalOr);
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
        return located(name)
                .map(located -> Futures.await(schedules(located.shard()).pause(name, paused)))
                .orElse(false);
    }

    @Override
    public Optional<SubmitResult> trigger(String name) {
        return located(name).map(located -> {
            Shard shard = located.shard();
            Instant now = Instant.ofEpochMilli(located.found().nowMillis());
            NewJob job = new NewJob(
                    queues.idIn(shard.id(), Planner.id(name, now) + "~extra"),
                    new NewJob.Due(0, true),
                    definitions.read(name, located.stored().definition()).occurrence(now));
            return Futures.await(shard.submit(List.of(job)).get(0));
        });
    }

    @Override
    public Optional<ScheduleBackfill> backfill(String name, Instant from, Instant to, int perSecond, boolean dryRun) {
        Backfill.checkPerSecond(perSecond);
        return located(name).map(located -> {
            Shard shard = located.shard();
            StoredSchedule stored = located.stored();
            long now = located.found().nowMillis();
            Backfill backfill = Backfill.of(
                    stored,
                    definitions.read(name, stored.definition()),
                    now,
                    from,
                    to,
                    dryRun ? ScheduleBackfill.MOST_COUNTED : ScheduleBackfill.MOST);
            return dryRun
                    ? backfill.counted(0)
                    : backfill.submit(shard, now, perSecond, id -> queues.idIn(shard.id(), id));
        });
    }

    @Override
    public ScheduleExplanation explain(String name) {
        return located(name).map(this::explain).orElseGet(() -> ScheduleExplainer.unknown(name));
    }

    private ScheduleExplanation explain(Located located) {
        if (isMisplaced(located)) {
            return ScheduleExplainer.misplaced(located.stored().name());
        }
        if (definition(located.stored()).isEmpty()) {
            return ScheduleExplainer.unreadable(located.stored().name());
        }
        ScheduleSnapshot one = snapshot(located.stored());
        Shard shard = located.shard();
        Instant now = Instant.ofEpochMilli(located.found().nowMillis());
        return new ScheduleExplainer(one, now, isConsumed(shard), last(shard, one)).explain();
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
                !stored.paused() && stored.nextMillis() != null && stored.holds(stored.nextMillis()),
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

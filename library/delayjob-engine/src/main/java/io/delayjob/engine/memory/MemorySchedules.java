package io.delayjob.engine.memory;

import io.delayjob.Schedule.Overlap;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.KeptSchedule;
import io.delayjob.engine.ledger.Listing.Position;
import io.delayjob.engine.ledger.RestorePermit;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.StoredSchedule;
import io.delayjob.engine.ledger.StoredSchedule.Decided;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The schedules of a shard in memory. Each step does in Java what the script of its name does in Lua. */
final class MemorySchedules implements Schedules {

    private final MemoryLedger ledger;
    private final Kept kept;

    /** The schedules as they are kept; guarded by the lock of the shard. */
    static final class Kept {

        private final Map<String, StoredSchedule> all = new TreeMap<>();
        private final ScoredIds instants = new ScoredIds();

        /** How many occurrences in a row are dead, of schedules that pause themselves; -1 since one did so: the last one does not count again. */
        private final Map<String, Integer> deaths = new HashMap<>();

        /** When a node last declared a schedule. */
        private final Map<String, Long> declared = new HashMap<>();

        /** The schedules that the call under way has written, and whether it has written the definition too. */
        private final Map<String, Boolean> written = new LinkedHashMap<>();

        private void write(StoredSchedule schedule) {
            StoredSchedule before = all.put(schedule.name(), schedule);
            boolean defined = before == null || !before.definition().equals(schedule.definition());
            written.merge(schedule.name(), defined, Boolean::logicalOr);
            if (schedule.nextMillis() == null || schedule.paused()) {
                instants.remove(schedule.name());
            } else {
                instants.put(schedule.name(), schedule.nextMillis());
            }
        }

        private boolean remove(String name) {
            instants.remove(name);
            deaths.remove(name);
            declared.remove(name);
            boolean removed = all.remove(name) != null;
            if (removed) {
                written.put(name, false);
            }
            return removed;
        }

        private ScheduleText text(StoredSchedule schedule) {
            return new ScheduleText(schedule, deaths.getOrDefault(schedule.name(), 0));
        }

        private KeptSchedule kept(StoredSchedule schedule, boolean defined) {
            return new KeptSchedule(schedule.name(), text(schedule).write(), defined ? schedule.definition() : null);
        }

        /** Since when no node declares a schedule, though one did; null if one does, or none ever did. */
        private @Nullable Long undeclaredMillis(String name, long now) {
            Long last = declared.get(name);
            return last != null && now - last > DECLARED_MILLIS ? last : null;
        }

        /** The schedule that is to fire next; null if none is. */
        @Nullable Position firstInstant() {
            return instants.first();
        }

        /** The time until the next instant, in milliseconds; null if no schedule is to fire. */
        @Nullable Long untilInstant(long now) {
            Position first = firstInstant();
            return first == null ? null : Math.max(0, first.millis() - now);
        }
    }

    MemorySchedules(MemoryLedger ledger, Kept kept) {
        this.ledger = ledger;
        this.kept = kept;
    }

    @Override
    public CompletableFuture<Found> find(List<String> names) {
        return ledger.step(now -> found(names, now, UnaryOperator.identity()));
    }

    @Override
    public CompletableFuture<Found> due(int skipped, int limit) {
        return ledger.step(now -> found(
                kept.instants.upTo(now, skipped + limit).stream()
                        .skip(skipped)
                        .map(Position::id)
                        .toList(),
                now,
                StoredSchedule::withLastDecision));
    }

    private Found found(List<String> names, long now, UnaryOperator<StoredSchedule> shown) {
        return new Found(
                now,
                kept.untilInstant(now),
                names.stream()
                        .map(kept.all::get)
                        .filter(Objects::nonNull)
                        .map(one -> shown.apply(one).undeclaredSince(kept.undeclaredMillis(one.name(), now)))
                        .toList());
    }

    @Override
    public CompletableFuture<Long> put(Put put) {
        return logged(now -> {
            StoredSchedule known = kept.all.get(put.name());
            if (!Objects.equals(known == null ? null : known.version(), put.replaces())
                    || (known != null && (isDue(known, now) || isDecided(known, put.nextMillis())))) {
                return 0L;
            }
            StoredSchedule before = known == null ? fresh(put) : known;
            long version = Math.max(now, before.version() + 1);
            kept.write(new StoredSchedule(
                    put.name(),
                    version,
                    put.definition(),
                    put.nextMillis(),
                    before.lastMillis(),
                    before.sinceMillis(),
                    before.heldMillis(),
                    before.paused(),
                    before.fired(),
                    before.skipped(),
                    before.job(),
                    null,
                    before.decisions()));
            return version;
        });
    }

    /** A new schedule before it is put. */
    private static StoredSchedule fresh(Put put) {
        return new StoredSchedule(
                put.name(),
                0,
                put.definition(),
                null,
                put.lastMillis(),
                0,
                0,
                put.paused(),
                0,
                0,
                null,
                null,
                List.of());
    }

    private static boolean isDue(StoredSchedule known, long now) {
        return !known.paused() && known.nextMillis() != null && known.nextMillis() <= now;
    }

    private static boolean isDecided(StoredSchedule known, @Nullable Long instant) {
        return known.lastMillis() != null && instant != null && instant <= known.lastMillis();
    }

    @Override
    public CompletableFuture<Boolean> remove(String name) {
        return logged(now -> kept.remove(name));
    }

    @Override
    public CompletableFuture<Boolean> declare(List<String> names, boolean declared) {
        return ledger.step(now -> {
            kept.declared.keySet().removeAll(names);
            if (declared) {
                names.stream().filter(kept.all::containsKey).forEach(name -> kept.declared.put(name, now));
            }
            return true;
        });
    }

    @Override
    public CompletableFuture<Boolean> pause(String name, boolean paused) {
        return logged(now -> {
            StoredSchedule known = kept.all.get(name);
            if (known != null && known.paused() != paused) {
                kept.write(new StoredSchedule(
                        name,
                        paused ? known.version() : Math.max(now, known.version() + 1),
                        known.definition(),
                        known.nextMillis(),
                        known.lastMillis(),
                        paused ? known.sinceMillis() : now,
                        known.heldMillis(),
                        paused,
                        known.fired(),
                        known.skipped(),
                        known.job(),
                        null,
                        known.decisions()));
            }
            return known != null;
        });
    }

    @Override
    public CompletableFuture<Fired> fire(List<Proposal> proposals) {
        return logged(now -> {
            ledger.checkRoom(now);
            Set<String> changed = new HashSet<>();
            List<Decision> decisions = proposals.stream()
                    .map(proposal -> decide(proposal, now, changed))
                    .toList();
            ledger.ring(changed, now);
            return new Fired(decisions, kept.untilInstant(now));
        });
    }

    @Override
    public CompletableFuture<Names> names(@Nullable String after) {
        return ledger.step(now -> new Names(List.copyOf(kept.all.keySet()), null));
    }

    @Override
    public CompletableFuture<List<KeptSchedule>> kept(List<String> names) {
        return ledger.step(now -> names.stream()
                .map(kept.all::get)
                .filter(Objects::nonNull)
                .map(schedule -> kept.kept(schedule, true))
                .toList());
    }

    @Override
    public CompletableFuture<List<Boolean>> restore(
            Call call, @Nullable RestorePermit permit, List<KeptSchedule> known) {
        return ledger.once(
                call,
                now -> permit != null && !ledger.uses(permit)
                        ? List.of()
                        : noted(
                                known.stream()
                                        .map(one -> restored(one, permit != null))
                                        .toList(),
                                now));
    }

    private boolean restored(KeptSchedule known, boolean create) {
        StoredSchedule before = kept.all.get(known.name());
        String definition = known.definition();
        ScheduleText text = ScheduleText.read(known.name(), definition == null ? "" : definition, known.state());
        if (text == null) {
            return false;
        } else if (before == null) {
            return create && definition != null && restore(text, List.of());
        }
        ScheduleText stored = kept.text(before);
        if (definition == null) {
            return !stored.isLaterThan(text) && kept.remove(known.name());
        } else if (text.isLaterThan(stored)) {
            return restore(text.withLastOf(stored), before.decisions());
        }
        return text.last() > stored.last() && restore(stored.withLastOf(text), before.decisions());
    }

    private boolean restore(ScheduleText text, List<Decided> decisions) {
        kept.deaths.put(text.schedule().name(), text.deaths());
        kept.write(text.schedule().withDecisions(decisions));
        return true;
    }

    /** Does a step that may change schedules, and logs what became of them. */
    private <A> CompletableFuture<A> logged(LongFunction<A> step) {
        return ledger.step(now -> noted(step.apply(now), now));
    }

    private <A> A noted(A answer, long now) {
        kept.written.forEach((name, defined) -> {
            StoredSchedule schedule = kept.all.get(name);
            ledger.note(name, schedule == null ? null : kept.kept(schedule, defined), now);
        });
        kept.written.clear();
        return answer;
    }

    private Decision decide(Proposal proposal, long now, Set<String> changed) {
        StoredSchedule known = kept.all.get(proposal.schedule());
        if (known == null) {
            return Decision.GONE;
        } else if (known.version() != proposal.version()) {
            return Decision.OTHER_VERSION;
        } else if (known.lastMillis() != null && proposal.instantMillis() <= known.lastMillis()) {
            return Decision.DECIDED;
        } else if (known.paused()) {
            return Decision.PAUSED;
        } else if (proposal.instantMillis() > now || ledger.awaitsJournal(now)) {
            return Decision.EARLY;
        } else if (proposal.outcome() instanceof Skip skip) {
            skip(known, proposal, skip.instants(), skip.reason(), "");
            return Decision.SKIPPED;
        }
        return fire(known, proposal, (Occurrence) proposal.outcome(), now, changed);
    }

    private Decision fire(StoredSchedule known, Proposal proposal, Occurrence job, long now, Set<String> changed) {
        if (job.overlap() != Overlap.ALLOW && known.job() != null && !ledger.isOver(known.job())) {
            return meet(known, proposal, job, now);
        }
        int deaths = deaths(known, job);
        if (job.pauseAfter() > 0 && deaths >= job.pauseAfter()) {
            kept.deaths.put(known.name(), -1);
            skip(known, proposal, 1, Decision.DEATHS.name(), String.valueOf(known.job()), true);
            return Decision.DEATHS;
        } else if (!ledger.store(job, now, changed)) {
            skip(known, proposal, 1, Decision.EXISTS.name(), job.id());
            return Decision.EXISTS;
        }
        kept.deaths.put(known.name(), Math.max(deaths, 0));
        Decided decided = new Decided(proposal.instantMillis(), 1, "", job.id());
        kept.write(decided(known, proposal, known.fired() + 1, known.skipped(), job.id(), decided, false));
        return Decision.STORED;
    }

    /** An instant meets the occurrence before, which is not over. */
    private Decision meet(StoredSchedule known, Proposal proposal, Occurrence job, long now) {
        if (job.overlap() == Overlap.SKIP) {
            skip(known, proposal, 1, Decision.OVERLAP.name(), String.valueOf(known.job()));
            return Decision.OVERLAP;
        }
        if (!known.holds(job.comeMillis())) {
            kept.write(known.held(job.comeMillis()));
        }
        kept.instants.put(known.name(), now + AGAIN_MILLIS);
        return Decision.WAITS;
    }

    /** How many occurrences in a row are dead, with the one before this. */
    private int deaths(StoredSchedule known, Occurrence job) {
        if (job.pauseAfter() == 0) {
            return 0;
        }
        int before = kept.deaths.getOrDefault(known.name(), 0);
        if (known.job() == null || !ledger.isOver(known.job())) {
            return before;
        }
        return ledger.isDead(known.job()) ? before + 1 : 0;
    }

    private void skip(StoredSchedule known, Proposal proposal, long instants, String reason, String job) {
        skip(known, proposal, instants, reason, job, false);
    }

    private void skip(
            StoredSchedule known, Proposal proposal, long instants, String reason, String job, boolean paused) {
        Decided decided = new Decided(proposal.instantMillis(), instants, reason, job);
        kept.write(decided(known, proposal, known.fired(), known.skipped() + instants, known.job(), decided, paused));
    }

    private static StoredSchedule decided(
            StoredSchedule known,
            Proposal proposal,
            long fired,
            long skipped,
            @Nullable String job,
            Decided decided,
            boolean paused) {
        List<Decided> all = new ArrayList<>(
                Stream.concat(known.decisions().stream(), Stream.of(decided)).toList());
        return new StoredSchedule(
                known.name(),
                known.version(),
                known.definition(),
                proposal.nextMillis(),
                proposal.instantMillis(),
                known.sinceMillis(),
                known.heldMillis(),
                paused,
                fired,
                skipped,
                job,
                null,
                all.subList(Math.max(0, all.size() - StoredSchedule.KEPT), all.size()));
    }
}

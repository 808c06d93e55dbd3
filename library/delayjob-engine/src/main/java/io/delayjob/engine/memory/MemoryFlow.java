package io.delayjob.engine.memory;

import io.delayjob.JobState;
import io.delayjob.Limits;
import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.FleetView;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.Flow.Kind;
import io.delayjob.engine.ledger.Flow.Step;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.KeptSchedule;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.SetLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The flow log of a shard. It is kept only while somebody asks for it. */
final class MemoryFlow {

    private final TreeMap<String, List<Step>> entries = new TreeMap<>(Flow.ORDER);
    private final List<Step> noted = new ArrayList<>();
    private long bound;
    private long until;
    /** When the journal compared; null before. */
    private @Nullable Long comparedAt;
    /** Since when claims wait for it; null if they do not. */
    private @Nullable Long waitsSince;

    private String last = Flow.NOTHING;
    private Fence fence = Fence.NONE;

    /** Whether steps are logged now. */
    private boolean goesOn(long now) {
        return now < until;
    }

    /** Whether the log has as many entries as it may have. */
    boolean isFull(long now) {
        return goesOn(now) && entries.size() >= bound;
    }

    /** Whether a claim has to wait for the journal. */
    boolean awaitsJournal(long now) {
        if (comparedAt == null || now - comparedAt <= Flow.COMPARED_MILLIS) {
            return false;
        }
        if (waitsSince == null || waitsSince > now) {
            waitsSince = now;
        }
        return now - waitsSince < Flow.PATIENCE_MILLIS;
    }

    /** How full the log is; null if none is kept. */
    FleetView.@Nullable Fill fill(long now) {
        return goesOn(now) ? new FleetView.Fill(entries.size(), bound) : null;
    }

    /** Fails if the log is full. */
    void checkRoom(long now) {
        if (isFull(now)) {
            String message = Flow.full(entries.size(), bound);
            throw new LedgerException(LedgerException.Kind.REFUSED, message, new IllegalStateException(message));
        }
    }

    /** Notes a step of the call that is under way. */
    void note(Kind kind, String id, @Nullable JobState state, int attempt, @Nullable Long due, long now) {
        note(kind, id, state, attempt, due, null, null, null, now);
    }

    /** Notes a step of the call that is under way. */
    void note(
            Kind kind,
            String id,
            @Nullable JobState state,
            int attempt,
            @Nullable Long due,
            @Nullable String node,
            @Nullable String text,
            @Nullable JobContent content,
            long now) {
        note(kind, id, state, attempt, due, null, node, text, content, null, now);
    }

    /** Notes a step of the call that is under way. */
    void note(
            Kind kind,
            String id,
            @Nullable JobState state,
            int attempt,
            @Nullable Long due,
            @Nullable Long place,
            @Nullable String node,
            @Nullable String text,
            @Nullable JobContent content,
            @Nullable Long tag,
            long now) {
        if (goesOn(now)) {
            noted.add(new Step(
                    "", noted.size(), kind, now, id, state, attempt, due, place, node, text, content, tag, null));
        }
    }

    /** Notes which limits are set now for a key, or for the queue if the key is empty. */
    void noteLimits(String key, @Nullable Limits limits, long now) {
        note(Kind.LIMITS, key, null, 0, null, null, new SetLimits(key, limits, false).text(), null, now);
    }

    /** Notes whether a key, or the queue if the key is empty, is paused now. */
    void notePause(String key, boolean paused, long now) {
        note(Kind.PAUSE, key, null, 0, null, null, paused ? "1" : null, null, now);
    }

    /** Notes what became of a schedule; null if it was removed. */
    void note(String name, @Nullable KeptSchedule schedule, long now) {
        if (goesOn(now)) {
            noted.add(new Step(
                    "", noted.size(), Kind.SCHEDULE, now, name, null, 0, null, null, null, null, null, null, schedule));
        }
    }

    /** Tells which jobs of the call that is under way come too late. */
    Predicate<NewJob> late(long now) {
        Fence known = goesOn(now) ? fence : Fence.NONE;
        return job -> job.journaled() != null
                && !job.journaled().permit().equals(known.term())
                && !job.journaled().permit().equals(known.ofRelay());
    }

    /** Notes that a relay has stored jobs: its permit was for one call. */
    void relayed(List<NewJob> jobs, long now) {
        String permit = fence.ofRelay();
        boolean used = goesOn(now)
                && jobs.stream()
                        .anyMatch(job -> job.journaled() != null
                                && job.journaled().permit().equals(permit));
        fence = used ? new Fence(fence.term(), fence.relays() + 1) : fence;
    }

    /** Begins a term. */
    void raise(String term) {
        if (!fence.term().equals(term)) {
            fence = new Fence(term, 0);
        }
    }

    /** Makes an entry of the noted steps, if there are any. */
    void commit(long now) {
        if (!noted.isEmpty()) {
            last = next(now);
            List<Step> steps = new ArrayList<>();
            noted.forEach(step -> steps.add(step.at(last)));
            entries.put(last, steps);
            noted.clear();
        }
    }

    private String next(long now) {
        String first = now + "-0";
        if (Flow.ORDER.compare(first, last) > 0) {
            return first;
        }
        int dash = last.indexOf('-') + 1;
        return last.substring(0, dash) + (Long.parseLong(last.substring(dash)) + 1);
    }

    /** Keeps the log going, and reads a page. */
    Flow.Page read(Flow.Request request, long now) {
        boolean goesOn = goesOn(now);
        until = now + Flow.KEPT_MILLIS;
        bound = request.bound();
        if (!goesOn) {
            note(Kind.START, "", null, 0, null, now);
            commit(now);
        }
        if (fence.equals(Fence.NONE)) {
            raise(Fence.newTerm());
        }
        String after = request.after();
        List<Step> steps = new ArrayList<>();
        String[] read = {after == null ? Flow.NOTHING : after};
        entries.tailMap(read[0], false).entrySet().stream()
                .limit(request.limit())
                .forEach(entry -> {
                    steps.addAll(entry.getValue());
                    read[0] = entry.getKey();
                });
        boolean anchored = after == null || entries.containsKey(after);
        if (request.compares() && anchored && after != null) {
            comparedAt = now;
            waitsSince = null;
        }
        return new Flow.Page(anchored, steps, read[0], last(), entries.size(), now, fence);
    }

    String last() {
        return entries.isEmpty() ? Flow.NOTHING : entries.lastKey();
    }

    /** Removes the entries before a position, if there is one at it; answers how many stay. */
    long trim(String upTo) {
        if (entries.containsKey(upTo)) {
            entries.headMap(upTo, false).clear();
        }
        return entries.size();
    }
}

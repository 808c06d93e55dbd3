package io.delayjob.engine.internal.recurring;

import io.delayjob.Schedule;
import io.delayjob.Schedule.CatchUp;
import io.delayjob.Schedule.Overlap;
import io.delayjob.ScheduleInstants;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.ledger.Schedules.Occurrence;
import io.delayjob.engine.ledger.Schedules.Outcome;
import io.delayjob.engine.ledger.Schedules.Proposal;
import io.delayjob.engine.ledger.Schedules.Skip;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.StoredSchedule;
import io.delayjob.engine.ledger.StoredSchedule.Decided;
import io.delayjob.support.Digests;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Proposes what becomes of the instants of a schedule that have come. An instant that is served within a minute is in time: a change of the
 * holder or a failover takes less. One that is served later was missed, and is made up for as the schedule says.
 */
final class Planner {

    /** The most instants that one plan looks at; the next plan goes on. */
    static final int MOST = 2 * Schedule.MOST_BUFFERED;

    /** The most proposals of one plan. */
    static final int MOST_PROPOSALS = 20;

    /** The longest name that ids contain whole; of a longer one they contain the beginning and a digest. */
    private static final int LONGEST_NAME = 90;

    /** The length of that beginning, in characters of Unicode. */
    private static final int BEGINNING = 30;

    private static final int DIGEST = 32;

    private static final String CATCH_UP = "CATCH_UP";

    private static final String OVERLAP = "OVERLAP";

    private static final String EDITED = "EDITED";

    private final StoredSchedule stored;
    private final Definition definition;
    private final ScheduleInstants instants;
    private final long nowMillis;
    private final UnaryOperator<String> inShard;
    private final List<Proposal> proposals = new ArrayList<>();

    /**
     * A plan.
     *
     * @param nowMillis the ledger's clock
     * @param inShard completes an id so that it lies in the shard of the schedule
     */
    private Planner(StoredSchedule stored, Definition definition, long nowMillis, UnaryOperator<String> inShard) {
        this.stored = stored;
        this.definition = definition;
        this.instants = ScheduleInstants.of(definition.schedule());
        this.nowMillis = nowMillis;
        this.inShard = inShard;
    }

    /** The proposals for a schedule of a shard. */
    static List<Proposal> proposals(
            StoredSchedule stored, Definition definition, long nowMillis, ShardId shard, Queues queues) {
        return new Planner(stored, definition, nowMillis, id -> queues.idIn(shard, id)).proposals();
    }

    /** The proposals for a schedule that is about to be changed while its instants wait for the occurrence before. */
    static List<Proposal> skips(StoredSchedule stored, Definition definition, long nowMillis) {
        Planner planner = new Planner(stored, definition, nowMillis, UnaryOperator.identity());
        planner.come().forEach(instant -> planner.propose(instant, planner.following(instant), new Skip(EDITED, 1)));
        return planner.proposals;
    }

    /**
     * The proposal for a schedule that is about to be replaced while its next instant has come, and whose definition this node cannot read: that
     * instant is skipped. Those behind it are unknown here.
     */
    static Proposal skipUnread(StoredSchedule stored) {
        long next = Objects.requireNonNull(stored.nextMillis());
        return new Proposal(stored.name(), stored.version(), next, null, new Skip(EDITED, 1));
    }

    /** The proposals, in the order of their instants; none if the next instant has not come. */
    private List<Proposal> proposals() {
        boolean missed = isMakingUp();
        boolean waits = false;
        List<Instant> come = come();
        for (int i = 0; i < Math.min(come.size(), MOST) && proposals.size() < MOST_PROPOSALS && !waits; i++) {
            Instant instant = come.get(i);
            long millis = instant.toEpochMilli();
            missed |= millis > stored.sinceMillis() && isMissed(millis);
            Outcome outcome = outcome(instant, come.subList(i + 1, come.size()), missed);
            propose(instant, following(instant), outcome);
            waits = outcome instanceof Occurrence && waitsForTheOneBefore();
        }
        return proposals;
    }

    /** The instants that have come, the earliest first: as many as one plan looks at, and one more. */
    private List<Instant> come() {
        return Stream.iterate(
                        stored.nextMillis() == null ? null : Instant.ofEpochMilli(stored.nextMillis()),
                        next -> next != null && next.toEpochMilli() <= nowMillis,
                        instants::next)
                .limit(MOST + 1)
                .toList();
    }

    /** Whether the plan before ended among instants that were missed. */
    private boolean isMakingUp() {
        List<Decided> before = stored.decisions();
        return !before.isEmpty() && before.get(before.size() - 1).reason().equals(CATCH_UP);
    }

    private @Nullable Long following(Instant instant) {
        Instant following = instants.next(instant);
        return following == null ? null : following.toEpochMilli();
    }

    private boolean isMissed(long millis) {
        return !stored.holds(millis) && nowMillis - millis > Schedule.IN_TIME.toMillis();
    }

    /** Whether an instant waits while the occurrence before is not over, or cancels it: then no later one is proposed with it. */
    private boolean waitsForTheOneBefore() {
        return switch (definition.schedule().overlap()) {
            case BUFFER_ONE, BUFFER_ALL, CANCEL_OTHER -> true;
            case SKIP, ALLOW -> false;
        };
    }

    /**
     * The outcome of an instant.
     *
     * @param later the later ones that have come
     * @param missed whether this or an earlier instant was missed: then LAST runs only the last one that has come
     */
    private Outcome outcome(Instant instant, List<Instant> later, boolean missed) {
        Schedule schedule = definition.schedule();
        long millis = instant.toEpochMilli();
        if (millis <= stored.sinceMillis()) {
            return new Skip("PAUSED", 1);
        } else if (stored.holds(millis)) {
            return countInTime(later) < mostThatWait() ? occurrence(instant, later) : new Skip(OVERLAP, 1);
        } else if (nowMillis - millis > schedule.window().toMillis()) {
            return new Skip("WINDOW", 1);
        } else if ((schedule.catchUp() == CatchUp.NONE && isMissed(millis))
                || (schedule.catchUp() == CatchUp.LAST && missed && !later.isEmpty())) {
            return new Skip(CATCH_UP, 1);
        }
        return occurrence(instant, later);
    }

    /** How many instants take the place of one that waits: those that were missed do not. */
    private long countInTime(List<Instant> later) {
        return later.stream().filter(other -> !isMissed(other.toEpochMilli())).count();
    }

    /** How many instants wait at most for the occurrence before. */
    private int mostThatWait() {
        return definition.schedule().overlap() == Overlap.BUFFER_ALL ? Schedule.MOST_BUFFERED : 1;
    }

    private Occurrence occurrence(Instant instant, List<Instant> later) {
        Schedule schedule = definition.schedule();
        return new Occurrence(
                inShard.apply(id(schedule.name(), instant)),
                instants.due(instant).toEpochMilli(),
                definition.occurrence(instant),
                schedule.overlap(),
                schedule.pauseAfter(),
                lastInTime(instant, later).toEpochMilli());
    }

    /** The last instant that waits if this one does: later ones do, up to the first that was missed. */
    private Instant lastInTime(Instant instant, List<Instant> later) {
        return later.stream()
                .takeWhile(other -> !isMissed(other.toEpochMilli()))
                .reduce((earlier, last) -> last)
                .orElse(instant);
    }

    /** The id of an occurrence, without the suffix that brings it into its shard. */
    static String id(String name, Instant instant) {
        String begin = name.length() <= LONGEST_NAME
                ? name
                : name.substring(0, name.offsetByCodePoints(0, BEGINNING))
                        + "~"
                        + Digests.sha256(name).substring(0, DIGEST);
        return begin + "@" + instant;
    }

    /** Adds a proposal, or widens the last one if that skips for the same reason. */
    private void propose(Instant instant, @Nullable Long following, Outcome outcome) {
        int last = proposals.size() - 1;
        Outcome all = outcome;
        if (last >= 0
                && outcome instanceof Skip skip
                && proposals.get(last).outcome() instanceof Skip before
                && before.reason().equals(skip.reason())) {
            proposals.remove(last);
            all = new Skip(skip.reason(), before.instants() + 1);
        }
        proposals.add(new Proposal(stored.name(), stored.version(), instant.toEpochMilli(), following, all));
    }
}

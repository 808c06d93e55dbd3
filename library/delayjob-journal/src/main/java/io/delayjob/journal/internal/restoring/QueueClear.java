package io.delayjob.journal.internal.restoring;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Listing;
import java.util.List;
import java.util.UUID;
import java.util.function.ToIntBiFunction;

/** Removes the unfinished jobs of one shard after the other from its ledger, call by call, at most so many in all. */
final class QueueClear {

    private static final List<JobState> NOT_DEAD = List.of(JobState.DELAYED, JobState.READY, JobState.RESERVED);

    private final Runnable goOn;
    private long left;

    /**
     * Removes nothing yet.
     *
     * @param most how many it may remove
     * @param goOn called before each call; throws if it is not to go on
     */
    QueueClear(long most, Runnable goOn) {
        this.left = most;
        this.goOn = goOn;
    }

    /** Removes them without a trace in the flow log. Answers how many. */
    long evict(Ledger ledger) {
        return untilNone((call, limit) -> Answers.repeated(() -> ledger.evict(call, limit)));
    }

    /** Cancels those that wait or run, and purges the dead ones. Answers how many. */
    long cancel(Ledger ledger) {
        long cancelled = NOT_DEAD.stream()
                .mapToLong(state -> untilNone((call, limit) -> cancelSome(ledger, call, state, limit)))
                .sum();
        return cancelled + untilNone((call, limit) -> Answers.repeated(() -> ledger.purgeDead(call, 0, limit)));
    }

    private static int cancelSome(Ledger ledger, Call call, JobState state, int limit) {
        Listing.Request request = new Listing.Request(state, null, null, null, limit);
        List<String> ids = Answers.repeated(() -> ledger.list(request)).jobs().stream()
                .map(Listing.Entry::id)
                .toList();
        return ids.isEmpty()
                ? 0
                : (int) Answers.repeated(() -> ledger.cancel(call, ids)).stream()
                        .filter(result -> result.done())
                        .count();
    }

    private long untilNone(ToIntBiFunction<Call, Integer> step) {
        long all = 0;
        while (left > 0) {
            goOn.run();
            // A lane of its own, so that a repeat of the call gets the first answer.
            Call call = new Call("clear:" + UUID.randomUUID(), 1);
            int some = step.applyAsInt(call, (int) Math.min(left, Ledger.MAX_BATCH));
            if (some == 0) {
                return all;
            }
            left -= some;
            all += some;
        }
        return all;
    }
}

package io.delayjob.journal.internal.restoring;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Listing;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Removes all unfinished jobs of a shard from the ledger, call by call. */
final class QueueClear {

    private static final List<JobState> NOT_DEAD = List.of(JobState.DELAYED, JobState.READY, JobState.RESERVED);

    private final Ledger ledger;

    QueueClear(JournaledShard shard) {
        this.ledger = shard.ledger();
    }

    /** Removes them without a trace in the flow log. Answers how many. */
    long evict() {
        return untilNone(call -> Answers.repeated(() -> ledger.evict(call, Ledger.MAX_BATCH)));
    }

    /** Cancels those that wait or run, and purges the dead ones. Answers how many. */
    long cancel() {
        long cancelled = NOT_DEAD.stream()
                .mapToLong(state -> untilNone(call -> cancelSome(call, state)))
                .sum();
        return cancelled + untilNone(call -> Answers.repeated(() -> ledger.purgeDead(call, 0, Ledger.MAX_BATCH)));
    }

    private int cancelSome(Call call, JobState state) {
        Listing.Request request = new Listing.Request(state, null, null, null, Ledger.MAX_BATCH);
        List<String> ids = Answers.repeated(() -> ledger.list(request)).jobs().stream()
                .map(Listing.Entry::id)
                .toList();
        return ids.isEmpty()
                ? 0
                : (int) Answers.repeated(() -> ledger.cancel(call, ids)).stream()
                        .filter(result -> result.done())
                        .count();
    }

    private static long untilNone(Function<Call, Integer> step) {
        long all = 0;
        while (true) {
            // A lane of its own, so that a repeat of the call gets the first answer.
            int some = step.apply(new Call("clear:" + UUID.randomUUID(), 1));
            if (some == 0) {
                return all;
            }
            all += some;
        }
    }
}

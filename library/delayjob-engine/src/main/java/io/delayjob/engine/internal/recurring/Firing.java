package io.delayjob.engine.internal.recurring;

import io.delayjob.JobEvent;
import io.delayjob.JobState;
import io.delayjob.Schedule.Overlap;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.Schedules.Decision;
import io.delayjob.engine.ledger.Schedules.Fired;
import io.delayjob.engine.ledger.Schedules.Occurrence;
import io.delayjob.engine.ledger.Schedules.Proposal;
import io.delayjob.engine.ledger.StoredSchedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Proposes instants to the ledger of a shard. If one waits for an occurrence whose place it takes, that is cancelled and the instant proposed
 * again. A node that stops in between leaves an instant that is due, and whose occurrence before is over.
 *
 * @param events is told of jobs that are cancelled
 */
record Firing(Shard shard, JobEvents events) {

    CompletableFuture<Fired> fire(List<Proposal> proposals) {
        Schedules schedules = shard.ledger().schedules();
        return schedules.fire(proposals).thenCompose(fired -> {
            int[] taking = IntStream.range(0, proposals.size())
                    .filter(i -> fired.decisions().get(i) == Decision.WAITS && takesAPlace(proposals.get(i)))
                    .toArray();
            if (taking.length == 0) {
                return CompletableFuture.completedFuture(fired);
            }
            List<Proposal> again =
                    Arrays.stream(taking).mapToObj(proposals::get).toList();
            return cancelTheOnesBefore(again)
                    .thenCompose(cancelled -> schedules.fire(again))
                    .thenApply(answer -> joined(fired, taking, answer));
        });
    }

    private static boolean takesAPlace(Proposal proposal) {
        return proposal.outcome() instanceof Occurrence job && job.overlap() == Overlap.CANCEL_OTHER;
    }

    private CompletableFuture<Void> cancelTheOnesBefore(List<Proposal> taking) {
        Map<String, Proposal> first = taking.stream()
                .collect(Collectors.toMap(Proposal::schedule, Function.identity(), (earlier, later) -> earlier));
        return shard.ledger()
                .schedules()
                .find(List.copyOf(first.keySet()))
                .thenCompose(found -> CompletableFuture.allOf(found.schedules().stream()
                        .filter(stored -> isOpen(stored, Objects.requireNonNull(first.get(stored.name()))))
                        .map(StoredSchedule::job)
                        .filter(Objects::nonNull)
                        .map(this::cancel)
                        .toArray(CompletableFuture[]::new)));
    }

    /**
     * Whether an instant is still to fire. A paused schedule takes no place. If another node has decided the instant by now, the last occurrence is
     * its own.
     */
    private static boolean isOpen(StoredSchedule stored, Proposal proposal) {
        return !stored.paused()
                && stored.version() == proposal.version()
                && (stored.lastMillis() == null || stored.lastMillis() < proposal.instantMillis());
    }

    private CompletableFuture<Void> cancel(String id) {
        return shard.cancel(id).thenAccept(result -> {
            if (result.done()) {
                events.publish(
                        JobEvent.Cancelled.class,
                        () -> new JobEvent.Cancelled(shard.id().queue(), id, result.previous() == JobState.RESERVED));
            }
        });
    }

    private static Fired joined(Fired first, int[] taking, Fired again) {
        List<Decision> all = new ArrayList<>(first.decisions());
        for (int i = 0; i < taking.length; i++) {
            all.set(taking[i], again.decisions().get(i));
        }
        return new Fired(all, again.nextMillis());
    }
}

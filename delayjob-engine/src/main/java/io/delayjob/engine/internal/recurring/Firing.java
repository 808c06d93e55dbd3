package io.delayjob.engine.internal.recurring;

import io.delayjob.Schedule.Overlap;
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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Proposes instants to the ledger of a shard. If one waits for an occurrence whose place it takes, that is cancelled and the instant proposed
 * again. A node that stops in between leaves an instant that is due, and whose occurrence before is over.
 */
final class Firing {

    private Firing() {}

    static CompletableFuture<Fired> fire(Shard shard, List<Proposal> proposals) {
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
            return cancelTheOnesBefore(shard, again)
                    .thenCompose(cancelled -> schedules.fire(again))
                    .thenApply(answer -> joined(fired, taking, answer));
        });
    }

    private static boolean takesAPlace(Proposal proposal) {
        return proposal.outcome() instanceof Occurrence job && job.overlap() == Overlap.CANCEL_OTHER;
    }

    private static CompletableFuture<Void> cancelTheOnesBefore(Shard shard, List<Proposal> taking) {
        List<String> names = taking.stream().map(Proposal::schedule).distinct().toList();
        return shard.ledger()
                .schedules()
                .find(names)
                .thenCompose(found -> CompletableFuture.allOf(found.schedules().stream()
                        .map(StoredSchedule::job)
                        .filter(Objects::nonNull)
                        .map(shard::cancel)
                        .toArray(CompletableFuture[]::new)));
    }

    private static Fired joined(Fired first, int[] taking, Fired again) {
        List<Decision> all = new ArrayList<>(first.decisions());
        for (int i = 0; i < taking.length; i++) {
            all.set(taking[i], again.decisions().get(i));
        }
        return new Fired(all, again.nextMillis());
    }
}

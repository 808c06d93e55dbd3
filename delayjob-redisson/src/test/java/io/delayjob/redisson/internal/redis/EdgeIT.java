package io.delayjob.redisson.internal.redis;

import static io.delayjob.redisson.internal.redis.TestShard.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.JobState;
import io.delayjob.redisson.internal.ledger.Call;
import io.delayjob.redisson.internal.ledger.ClaimRequest;
import io.delayjob.redisson.internal.ledger.Edge;
import io.delayjob.redisson.internal.ledger.Lease;
import io.delayjob.redisson.internal.ledger.Ledger;
import io.delayjob.redisson.internal.ledger.NewJob;
import io.delayjob.redisson.internal.ledger.Settlement;
import io.delayjob.redisson.internal.ledger.StoredJob;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Walks the table of edges: from each state, each script moves a job if and only if the table says so, and to where it says. */
class EdgeIT {

    private static final Set<JobState> STORED =
            EnumSet.of(JobState.DELAYED, JobState.READY, JobState.RESERVED, JobState.DEAD);

    static Stream<Arguments> everyEdgeFromEveryState() {
        return Stream.of(Edge.values())
                .filter(edge -> edge != Edge.SUBMIT)
                .flatMap(edge -> STORED.stream().map(state -> Arguments.of(edge, state)));
    }

    @ParameterizedTest(name = "{0} from {1}")
    @MethodSource("everyEdgeFromEveryState")
    void movesAJobIfAndOnlyIfTheTableSaysSo(Edge edge, JobState from) {
        try (TestShard shard = new TestShard()) {
            Lease lease = bringTo(shard, from);
            Map<String, Object> before = shard.state();
            boolean legal = edge.from().contains(from);
            if (edge == Edge.CLAIM && from == JobState.RESERVED) {
                shard.setClock(START + 60_000);
            }
            assertThat(apply(shard.ledger, edge, lease)).isEqualTo(legal);
            if (legal) {
                assertThat(edge.to()).contains(state(shard, edge));
            } else {
                assertThat(shard.state()).isEqualTo(before);
            }
        }
    }

    private static Lease bringTo(TestShard shard, JobState state) {
        long delay = state == JobState.DELAYED ? 500 : 0;
        shard.ledger
                .submit(
                        new Call("setup", 1),
                        List.of(new NewJob("a", new NewJob.Due(delay, true), null, null, "\"x\":1}")))
                .join();
        if (state == JobState.DELAYED || state == JobState.READY) {
            return new Lease("a", "0:none");
        }
        Lease lease = shard.ledger
                .claim(new Call("setup", 2), new ClaimRequest("n", 1, 30_000, "r"))
                .join()
                .jobs()
                .get(0)
                .lease();
        if (state == JobState.DEAD) {
            shard.ledger
                    .bury(new Call("setup", 3), List.of(new Settlement.Bury(lease, "e")))
                    .join();
        }
        return lease;
    }

    private static boolean apply(Ledger ledger, Edge edge, Lease lease) {
        Call call = new Call("lane", 1);
        return switch (edge) {
            case SUBMIT -> throw new IllegalArgumentException("leads from nowhere");
            case CLAIM ->
                !ledger.claim(call, new ClaimRequest("m", 1, 30_000, "s"))
                        .join()
                        .jobs()
                        .isEmpty();
            case COMPLETE ->
                ledger.complete(call, List.of(new Settlement.Complete(lease, null)))
                        .join()
                        .get(0);
            case RETRY ->
                ledger.retry(call, List.of(new Settlement.Retry(lease, 9, "e")))
                        .join()
                        .get(0);
            case BURY ->
                ledger.bury(call, List.of(new Settlement.Bury(lease, "e")))
                        .join()
                        .get(0);
            case RELEASE ->
                ledger.release(call, List.of(new Settlement.Release(lease, null)))
                        .join()
                        .get(0);
            case RENEW ->
                ledger.renew(List.of(new Ledger.Renewal(lease, 9))).join().get(0);
            case CANCEL -> ledger.cancel(call, List.of("a")).join().get(0).done();
            case RESCHEDULE ->
                ledger.reschedule(call, List.of(new Ledger.Rescheduled("a", 9)))
                        .join()
                        .get(0)
                        .done();
            case REDRIVE -> ledger.redrive(call, List.of("a")).join().get(0).done();
        };
    }

    /** Where the job is now; one that is gone is what the edge makes of it. */
    private static JobState state(TestShard shard, Edge edge) {
        return shard.ledger
                .find("a")
                .join()
                .map(StoredJob::state)
                .orElseGet(() -> edge == Edge.CANCEL ? JobState.CANCELLED : JobState.COMPLETED);
    }
}

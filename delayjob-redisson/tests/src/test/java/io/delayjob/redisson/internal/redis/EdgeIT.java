package io.delayjob.redisson.internal.redis;

import static io.delayjob.redisson.internal.redis.TestShard.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Edge;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Walks the table of edges: from each state, each script moves a job if and only if the table says so, and to where it says. */
class EdgeIT {

    static Stream<Arguments> everyEdgeFromEveryState() {
        return Stream.of(Edge.values())
                .filter(edge -> edge != Edge.SUBMIT && edge != Edge.RESTORE)
                .flatMap(edge -> Stream.of(JobState.values()).map(state -> Arguments.of(edge, state)));
    }

    @ParameterizedTest(name = "{0} from {1}")
    @MethodSource("everyEdgeFromEveryState")
    void movesAJobIfAndOnlyIfTheTableSaysSo(Edge edge, JobState from) {
        try (TestShard shard = new TestShard()) {
            Ledger ledger = shard.ledger(new Retention(Duration.ofDays(1), 10));
            Lease lease = bringTo(ledger, from);
            assertThat(state(ledger)).isEqualTo(from);
            Map<String, Object> before = shard.state();
            boolean legal = edge.from().contains(from);
            if (edge == Edge.CLAIM && from == JobState.RESERVED) {
                shard.setClock(START + 60_000);
            }
            assertThat(apply(ledger, edge, lease)).isEqualTo(legal);
            if (legal) {
                assertThat(edge.to()).contains(state(ledger));
            } else {
                assertThat(shard.state()).isEqualTo(before);
            }
        }
    }

    private static Lease bringTo(Ledger ledger, JobState state) {
        long delay = state == JobState.DELAYED ? 500 : 0;
        ledger.submit(
                        new Call("setup", 1),
                        List.of(new NewJob("a", new NewJob.Due(delay, true), JobContent.of("\"x\":1}"))))
                .join();
        if (state == JobState.DELAYED || state == JobState.READY) {
            return new Lease("a", "0:none");
        }
        Lease lease = ledger.claim(new Call("setup", 2), new ClaimRequest("n", 1, 30_000, "r"))
                .join()
                .jobs()
                .get(0)
                .lease();
        Call last = new Call("setup", 3);
        if (state == JobState.DEAD) {
            ledger.settle(last, List.of(new Settlement.Bury(lease, "e", true))).join();
        } else if (state == JobState.COMPLETED) {
            ledger.settle(last, List.of(new Settlement.Complete(lease, "1", 0))).join();
        } else if (state == JobState.CANCELLED) {
            ledger.cancel(last, List.of("a")).join();
        }
        return lease;
    }

    private static boolean apply(Ledger ledger, Edge edge, Lease lease) {
        Call call = new Call("lane", 1);
        return switch (edge) {
            case SUBMIT, RESTORE -> throw new IllegalArgumentException("leads from nowhere");
            case CLAIM ->
                !ledger.claim(call, new ClaimRequest("m", 1, 30_000, "s"))
                        .join()
                        .jobs()
                        .isEmpty();
            case COMPLETE ->
                ledger.settle(call, List.of(new Settlement.Complete(lease, null, 0)))
                        .join()
                        .get(0);
            case RETRY ->
                ledger.settle(call, List.of(new Settlement.Retry(lease, 9, "e")))
                        .join()
                        .get(0);
            case BURY ->
                ledger.settle(call, List.of(new Settlement.Bury(lease, "e", true)))
                        .join()
                        .get(0);
            case RELEASE ->
                ledger.settle(call, List.of(new Settlement.Release(lease, null, null)))
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

    private static JobState state(Ledger ledger) {
        return ledger.find("a").join().orElseThrow().state();
    }
}

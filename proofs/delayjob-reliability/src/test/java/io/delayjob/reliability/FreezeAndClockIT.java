package io.delayjob.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobRequest;
import io.delayjob.reliability.harness.Account;
import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.Load;
import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.reliability.node.Journal;
import io.delayjob.reliability.node.Journal.Kind;
import io.delayjob.reliability.node.Work;
import io.delayjob.reliability.node.WorkJob;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node stands still as in a very long garbage collection, or its clock is wrong. */
@Faults
class FreezeAndClockIT {

    private static final Duration BOUND = Duration.ofMinutes(4);

    /** The late completion is refused, and the job ran once more only. */
    @Test
    void nodeFrozenForLongerThanItsLease(Stage stage) {
        // The other node keeps its lease, though it stands still for some seconds.
        stage.everywhere("delayjob.lease=9s");
        OwnRedis redis = stage.redis();
        NodeProcess frozen = stage.node(redis.url());
        Load load = stage.load(Load.Mix.USUAL);
        // Long enough to be still running when the node is frozen.
        load.submit(DelayJobRequest.of(WorkJob.class, new Work(8000, 0)).withId("caught"), Duration.ZERO)
                .join();
        frozen.awaitLine(Kind.BEGUN, BOUND);
        frozen.freeze();
        NodeProcess other = stage.node(redis.url());
        other.awaitLine(Kind.COMPLETED, BOUND);
        frozen.thaw();
        frozen.awaitLine(Kind.LOST, BOUND);

        Account account = stage.settle(BOUND);
        assertThat(account.duplicates()).isEqualTo(1);
        assertThat(frozen.journal()).extracting(Journal.Line::kind).doesNotContain(Kind.COMPLETED);
    }

    @Tag("proof")
    @Test
    void nodeFrozenAgainAndAgainInFlow(Stage stage) {
        OwnRedis redis = stage.redis();
        List<NodeProcess> nodes = stage.nodes(2, redis.url());
        CompletableFuture<Void> submits = stage.submit(400, Duration.ofSeconds(8));
        for (Duration freeze : List.of(Duration.ofSeconds(1), Stage.LEASE.plusSeconds(2))) {
            nodes.get(0).freeze();
            Stage.pass(freeze);
            nodes.get(0).thaw();
            Stage.pass(Duration.ofSeconds(1));
        }
        submits.join();

        stage.settle(BOUND);
    }

    /** Jobs that run on the node with the wrong clock submit others, which are due by Redis' clock all the same. */
    @Tag("proof")
    @ParameterizedTest
    @ValueSource(ints = {10, -10})
    void clockOfANodeWrong(int minutes, Stage stage) {
        stage.leasesThatLast();
        stage.everywhere("delayjob.submit-timeout=30s");
        OwnRedis redis = stage.redis();
        NodeProcess wrong = stage.node(redis.url(), "-Dnode.skew=" + Duration.ofMinutes(minutes));
        assertThat(wrong.log()).contains("the clock of this process is wrong by " + minutes + " minutes");
        Load load = stage.load(Load.Mix.USUAL);
        for (int i = 0; i < 100; i++) {
            load.submit(
                            DelayJobRequest.of(WorkJob.class, new Work(20, 0, 500))
                                    .withId("chained-" + i),
                            Duration.ofMillis(20L * i))
                    .join();
        }
        wrong.awaitLine(Kind.SUBMITTED, BOUND);
        wrong.awaitLine(Kind.COMPLETED, BOUND);
        stage.node(redis.url());
        load.submit(200, Duration.ofSeconds(3)).join();

        Account account = stage.settle(BOUND);
        assertThat(account.submitted()).isEqualTo(400);
        assertThat(account.duplicates()).isZero();
    }
}

package io.delayjob.reliability;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.Load;
import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Nodes of another version in the fleet. The system property {@code reliability.previous} names the jars of that version's modules up to {@code delayjob-redisson}, as a class path.
 */
@Tag("proof")
@Faults
class UpgradeIT {

    private static final String PREVIOUS = System.getProperty("reliability.previous", "");

    /** Jobs of both submitters' records run on both; the fleet is then moved to this version, node by node. */
    @Test
    void nodesOfThePreviousVersionReplacedOneByOne(Stage stage) {
        if (PREVIOUS.isEmpty()) {
            System.out.println("UpgradeIT is skipped: no version was published before this one;"
                    + " name the jars of another one by -Dreliability.previous");
        }
        assumeFalse(PREVIOUS.isEmpty(), "no version was published before this one");
        OwnRedis redis = stage.redis();
        NodeProcess[] old = {previous(stage, redis), previous(stage, redis)};
        stage.awaitReady();
        CompletableFuture<Void> submits =
                stage.load(Load.Mix.USUAL.working(Duration.ofMillis(300))).submit(400, Duration.ofSeconds(12));
        for (NodeProcess node : old) {
            stage.node(redis.url());
            stage.stop(node);
        }
        submits.join();

        stage.settle(Duration.ofSeconds(90));
    }

    private static NodeProcess previous(Stage stage, OwnRedis redis) {
        return stage.launchWith(PREVIOUS, redis.url());
    }
}

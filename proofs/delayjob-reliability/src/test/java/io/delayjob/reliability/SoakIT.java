package io.delayjob.reliability;

import io.delayjob.embedded.RedisCall;
import io.delayjob.reliability.harness.FaultProxy;
import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.Load;
import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One fault after the other, drawn by the seed, while jobs come and go: for 20 seconds, or as many as the system property
 * {@code reliability.soak} says.
 */
@Tag("proof")
@Faults
class SoakIT {

    private static final Duration TIME = Duration.ofSeconds(Long.getLong("reliability.soak", 20));
    private static final int JOBS_PER_SECOND = 40;

    /** Breaks one of these parts at random: a node, the network, Redis. */
    private record Broken(Stage stage, OwnRedis redis, FaultProxy network, List<NodeProcess> nodes) {

        /** Breaks something, and mends it after a time. */
        void one() {
            Duration time = Duration.ofMillis(200 + stage.random().nextInt(4000));
            switch (stage.random().nextInt(9)) {
                case 0 -> killANode();
                case 1 -> replaceANode();
                case 2 -> freezeANode(time);
                case 3 -> stall(time);
                case 4 -> network.cut();
                case 5 -> network.muteReplies();
                case 6 -> pauseClients(time);
                case 7 -> call("SCRIPT", "FLUSH");
                default -> killRedis();
            }
            Stage.pass(Duration.ofMillis(stage.random().nextInt(1000)));
        }

        /** The last node is spared, so that there is always one. */
        private int any() {
            return stage.random().nextInt(nodes.size() - 1);
        }

        private void killANode() {
            int one = any();
            stage.kill(nodes.get(one));
            nodes.set(one, stage.node(network.url()));
        }

        private void replaceANode() {
            int one = any();
            stage.stop(nodes.get(one));
            nodes.set(one, stage.node(network.url()));
        }

        private void freezeANode(Duration time) {
            NodeProcess one = nodes.get(any());
            one.freeze();
            Stage.pass(time);
            one.thaw();
        }

        private void stall(Duration time) {
            network.stall();
            Stage.pass(time);
            network.resume();
        }

        /** To its end: Redis would not answer this test either. */
        private void pauseClients(Duration time) {
            call("CLIENT", "PAUSE", Long.toString(time.toMillis()), "ALL");
            Stage.pass(time);
        }

        private void killRedis() {
            redis.kill();
            redis.restart();
        }

        private void call(String... words) {
            try {
                RedisCall.call(redis.url(), words);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void faultsDrawnAtRandom(Stage stage) {
        OwnRedis redis = stage.redis();
        FaultProxy network = stage.proxy(redis);
        List<NodeProcess> nodes = new ArrayList<>(
                List.of(stage.launch(network.url()), stage.launch(network.url()), stage.launch(redis.url())));
        stage.awaitReady();
        int jobs = (int) TIME.toSeconds() * JOBS_PER_SECOND;
        CompletableFuture<Void> submits =
                stage.load(Load.Mix.USUAL.working(Duration.ofMillis(200))).submit(jobs, TIME);
        Broken broken = new Broken(stage, redis, network, nodes);
        long end = System.nanoTime() + TIME.toNanos();
        while (System.nanoTime() - end < 0) {
            broken.one();
        }
        submits.join();

        stage.settle(Duration.ofMinutes(2));
    }
}

package io.delayjob.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobRequest;
import io.delayjob.reliability.harness.Account;
import io.delayjob.reliability.harness.FaultProxy;
import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.Load;
import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.reliability.node.Journal;
import io.delayjob.reliability.node.Work;
import io.delayjob.reliability.node.WorkJob;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The reply to a script is lost after Redis has executed it, three times. */
@Faults
class LostRepliesIT {

    private static final Duration BOUND = Duration.ofMinutes(4);

    /** The scripts of a running node, and how their calls are told apart in what is sent: by a memo, or by their keys. */
    enum Script {
        CLAIM(":memo:node-\\d+:claim:"),
        COMPLETE(":memo:node-\\d+:complete:"),
        RETRY(":memo:node-\\d+:retry:"),
        BURY(":memo:node-\\d+:bury:"),
        RENEW("\\$1\\r\\n2\\r\\n\\$\\d+\\r\\n[^\\r]*:reserved\\r\\n\\$\\d+\\r\\n[^\\r]*:facts\\r\\n"),
        FEED(":windows\\r\\n\\$\\d+\\r\\n[^\\r]*:finished\\r\\n");

        private final Pattern request;

        Script(String request) {
            this.request = Pattern.compile(request);
        }
    }

    @Tag("proof")
    @ParameterizedTest
    @EnumSource
    void replyLostOf(Script script, Stage stage) {
        // Longer leases are renewed less often.
        if (script != Script.RENEW && script != Script.FEED) {
            stage.leasesThatLast();
        }
        OwnRedis redis = stage.redis();
        FaultProxy network = stage.proxy(redis);
        stage.node(network.url());
        Load load = stage.load(new Load.Mix(Duration.ofSeconds(1), Duration.ofMillis(1500), 0.3, 0.2));
        CompletableFuture<Void> submits = load.submit(40, Duration.ofSeconds(4));
        network.loseReplies(script.request, 3).orTimeout(180, TimeUnit.SECONDS).join();
        submits.join();

        Account account = stage.settle(BOUND);
        // The call is repeated and takes effect once: no lease had to end for it.
        assertThat(account.duplicates()).isZero();
    }

    @Test
    void replyLostOfSubmit(Stage stage) {
        OwnRedis redis = stage.redis();
        FaultProxy network = stage.proxy(redis);
        stage.leasesThatLast();
        // Longer than it takes to notice that three replies in a row were lost.
        stage.everywhere("delayjob.submit-timeout=30s");
        stage.node(redis.url());
        stage.submitThrough(network.url());
        Load load = stage.load(Load.Mix.USUAL);
        CompletableFuture<Void> lost = network.loseReplies(Pattern.compile(":memo:submitter:submit:"), 3);
        load.submit(100, Duration.ofSeconds(4)).join();
        lost.orTimeout(180, TimeUnit.SECONDS).join();

        Account account = stage.settle(BOUND);
        assertThat(account.submitted()).isEqualTo(100);
        assertThat(account.duplicates()).isZero();
    }

    @Tag("proof")
    @Test
    void replyLostOfRelease(Stage stage) {
        stage.leasesThatLast();
        OwnRedis redis = stage.redis();
        FaultProxy network = stage.proxy(redis);
        NodeProcess stopping = stage.node(network.url(), "delayjob.shutdown-timeout=100ms");
        Load load = stage.load(Load.Mix.USUAL);
        for (int i = 0; i < 8; i++) {
            load.submit(DelayJobRequest.of(WorkJob.class, new Work(6000, 0)).withId("long-" + i), Duration.ZERO)
                    .join();
        }
        stopping.awaitLine(Journal.Kind.BEGUN, BOUND);
        CompletableFuture<Void> lost = network.loseReplies(Pattern.compile(":memo:node-\\d+:release:"), 1);
        stage.stop(stopping);
        lost.orTimeout(180, TimeUnit.SECONDS).join();
        stage.node(redis.url());

        Account account = stage.settle(BOUND);
        assertThat(account.givenBack()).isPositive();
        assertThat(account.duplicates()).isZero();
    }
}

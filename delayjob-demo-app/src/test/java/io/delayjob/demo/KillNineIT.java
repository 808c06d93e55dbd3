package io.delayjob.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Tag("proof")
final class KillNineIT {

    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final Duration SLACK = Duration.ofMinutes(2);

    private DemoProcesses demos = new DemoProcesses(Path.of(""));

    @BeforeEach
    void useFolder(@TempDir Path folder) {
        demos = new DemoProcesses(folder);
    }

    @AfterEach
    void endProcesses() {
        demos.close();
    }

    @Test
    void runsTheJobsOfAKilledProcessInTheNextOne() {
        DemoProcess first = start();
        DemoClient client = first.client();
        client.submit("name=Ann&delay=0&sleepMillis=8000&id=slow");
        Waits.soon().until(() -> client.latest("slow", "RUNNING").isPresent());
        Reply waiting = client.submit("name=Bob&age=41&delay=8&id=waiting");

        first.killNine();

        DemoProcess second = start();
        DemoClient next = second.client();
        assertThat(second.log()).contains(", reused");
        JsonNode repeated = awaitAttempt(next, "slow", "COMPLETED");
        assertThat(repeated.path("attempt").asInt()).isEqualTo(2);
        assertThat(repeated.path("name").asString()).isEqualTo("Ann");
        assertThat(next.attempts("slow")).hasSize(1);
        JsonNode attempt = awaitAttempt(next, "waiting", "COMPLETED");
        assertThat(attempt.path("attempt").asInt()).isEqualTo(1);
        assertThat(attempt.path("age").asInt()).isEqualTo(41);
        assertThat(attempt.path("dueAt").asString()).isEqualTo(waiting.text("dueAt"));
        assertThat(attempt.path("latenessMillis").asLong()).isNotNegative();
    }

    @Test
    void handsTheJobOfAKilledProcessToAnotherOneWhenItsLeaseEnds() {
        DemoProcess first = start();
        DemoClient client = first.client();
        // Long enough to be still running when the other process is up.
        client.submit("delay=0&sleepMillis=300000&id=slow");
        Waits.soon().until(() -> client.latest("slow", "RUNNING").isPresent());
        DemoClient other = start().client();
        assertThat(other.job("slow").text("state")).isEqualTo("RESERVED");
        assertThat(other.attempts("slow")).isEmpty();

        Instant killed = Instant.now();
        first.killNine();

        JsonNode attempt = awaitAttempt(other, "slow", "RUNNING");
        assertThat(attempt.path("attempt").asInt()).isEqualTo(2);
        assertThat(Instant.parse(attempt.path("startedAt").asString()))
                .isBetween(killed, killed.plus(LEASE).plus(SLACK));
    }

    private DemoProcess start() {
        return demos.start("--delayjob.lease=" + LEASE.toSeconds() + "s");
    }

    private static JsonNode awaitAttempt(DemoClient demo, String id, String outcome) {
        return Waits.soon()
                .until(() -> demo.latest(id, outcome), Optional::isPresent)
                .orElseThrow();
    }
}

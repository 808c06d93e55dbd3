package io.delayjob.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Tag("proof")
final class GracefulStopIT {

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
    void keepsAWaitingJobOverAStopOfEverythingAndLetsARunningOneFinish() {
        // A slow machine must not get to run the job before the stop.
        DemoProcess first = demos.start("--delayjob.consume=false");
        Reply submitted = first.client().submit("name=Ann&delay=10&id=waiting");
        DemoProcess second = demos.start("--delayjob.consume=false");
        DemoClient other = second.client();

        first.stop();
        assertThat(first.log()).contains("Redis left running").doesNotContain(" ERROR ");
        assertThat(other.job("waiting").text("state")).isIn("DELAYED", "READY");
        second.stop();
        assertThat(second.log()).contains(", reused").contains("stopped, its data is in");

        DemoProcess third = demos.start();
        DemoClient next = third.client();
        assertThat(third.log()).contains(", started");
        JsonNode attempt = Waits.soon()
                .until(() -> next.latest("waiting", "COMPLETED"), Optional::isPresent)
                .orElseThrow();
        assertThat(attempt.path("dueAt").asString()).isEqualTo(submitted.text("dueAt"));
        assertThat(attempt.path("attempt").asInt()).isEqualTo(1);

        next.submit("delay=0&sleepMillis=6000&id=slow");
        Waits.soon().until(() -> next.latest("slow", "RUNNING").isPresent());
        third.stop();
        assertThat(third.log()).contains("job slow completed: attempt 1");
    }
}

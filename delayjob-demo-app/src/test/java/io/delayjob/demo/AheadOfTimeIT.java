package io.delayjob.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.http.HttpMethod;

/** The demo as Boot's ahead-of-time processing made it, on the JVM. */
@Tag("proof")
final class AheadOfTimeIT {

    @Test
    void runsJobsOfClassesAndOfListenersAndTellsItsHealth(@TempDir Path folder) {
        try (DemoProcesses demos = new DemoProcesses(folder)) {
            DemoProcess demo = demos.start("-Dspring.aot.enabled=true", "--delayjob.health.timeout=30s");
            DemoClient client = demo.client();
            assertThat(demo.log()).contains("AOT-processed DemoApplication");

            client.submit("name=Ann&delay=0&id=ahead");
            Waits.soon().until(() -> client.latest("ahead", "COMPLETED").isPresent());

            String order = client.order("?secondsToPay=10").text("id");
            Waits.soon().until(() -> client.orderOf(order).text("status").equals("CLOSED"));
            // A job beside the one that closes the order.
            Waits.soon().untilAsserted(() -> assertThat(demo.log()).contains("is still unpaid"));

            assertThat(client.actuator(HttpMethod.GET, "/health/delayjob", null).text("status"))
                    .isEqualTo("UP");
            assertThat(client.actuator(HttpMethod.GET, "/delayjob", null).status())
                    .isEqualTo(200);
        }
    }
}

package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.server.console.TestConsole.Browser;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.Variants;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application that has added the console, and nothing else of delayjob's server. */
@Tag(Variants.TAG)
@RealRedis
@ExtendWith(OutputCaptureExtension.class)
class ConsoleAloneIT {

    /** Routes of the application, where delayjob's would be if they were served. */
    @RestController
    static class Shop {

        @GetMapping("/api/v1/customers/{id}")
        String customer(@PathVariable String id) {
            return "customer " + id;
        }

        @GetMapping("/api/v1/queues")
        String queues() {
            return "queues at the till";
        }

        @RequestMapping({"/protocols/delay-queue", "/protocols/mykit/push"})
        String protocol() {
            return "a protocol of the shop";
        }
    }

    private static String get(TestConsole console, String path) {
        HttpResponse<String> answer = TestConsole.send(HttpRequest.newBuilder(URI.create(console.url() + path)));
        return answer.statusCode() + " " + answer.body();
    }

    @ParameterizedTest
    @MethodSource("io.delayjob.server.console.TestConsole#kinds")
    void takesNoPathButItsOwnAndSaysWhereItIs(TestConsole.Kind kind, CapturedOutput output) {
        try (TestConsole console = TestConsole.startWith(Shop.class, kind, "delayjob.server.enabled=")) {
            assertThat(output).contains("the console at /console, no HTTP API (delayjob.server.enabled=true");
            assertThat(get(console, "/api/v1/customers/7")).isEqualTo("200 customer 7");
            assertThat(get(console, "/api/v1/queues")).isEqualTo("200 queues at the till");
            assertThat(get(console, "/protocols/delay-queue")).isEqualTo("200 a protocol of the shop");
            assertThat(get(console, "/protocols/mykit/push")).isEqualTo("200 a protocol of the shop");
            assertThat(get(console, "/api/v1/nodes")).startsWith("404");

            var unused = console.bean(DelayJobProducer.class)
                    .submit(DelayJobRequest.toTopic("t", "x").withQueue("alone").withId("far"), Duration.ofDays(1));
            Browser admin = console.signedIn(TestConsole.ADMIN);
            assertThat(admin.get("/queues/alone?state=DELAYED").body()).contains("far");
            assertThat(admin.get("/tokens").statusCode()).isEqualTo(200);
            assertThat(admin.post("/job/cancel", "queue", "alone", "id", "far").statusCode())
                    .isLessThan(400);
            assertThat(admin.get("/queues/alone?state=DELAYED").body()).doesNotContain(">far<");
        }
    }
}

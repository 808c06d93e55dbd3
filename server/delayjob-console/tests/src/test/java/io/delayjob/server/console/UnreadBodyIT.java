package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.testing.RealRedis;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** An application on Tomcat that has no other servlet container on its class path, as most have. */
@RealRedis
class UnreadBodyIT {

    @Test
    void anAnswerToABodyThatWasNotReadEndsItsConnection() {
        try (TestConsole server = TestConsole.start(TestConsole.Kind.TOMCAT)) {
            HttpResponse<String> refused =
                    TestConsole.send(HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/queues/q/jobs"))
                            .header("Authorization", "Bearer wrong")
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString("{\"topic\":\"t\"}")));

            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.headers().firstValue("Connection")).contains("close");
        }
    }
}

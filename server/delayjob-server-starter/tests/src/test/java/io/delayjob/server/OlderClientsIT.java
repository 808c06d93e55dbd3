package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.Api.Answer;
import io.delayjob.testing.RealRedis;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How clients are served that cannot send a header, and where the protocols are. */
@Tag("proof")
@RealRedis
class OlderClientsIT {

    private static final String QUEUE = "/protocols/delay-queue";
    private static final String POP = "{'command':'pop','topic':'t'}";

    private static OldClient nobody(TestServer server) {
        return new OldClient(server.api().url(), "");
    }

    private static void checkRefused(Answer answer, int status) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(status);
        assertThat(answer.json().path("success").asBoolean(true)).isFalse();
    }

    @Test
    void aTokenInTheQueryCountsOnlyWhereThatIsConfigured() {
        try (TestServer server = TestServer.start()) {
            checkRefused(nobody(server).post(QUEUE + "?token=" + TestServer.ADMIN, POP), 401);
        }
        try (TestServer server = TestServer.start("delayjob.server.protocols.query-token=true")) {
            OldClient client = nobody(server);
            assertThat(client.post(QUEUE + "?token=" + TestServer.ADMIN, POP).toString())
                    .isEqualTo("200 {\"success\":true}");
            checkRefused(client.post(QUEUE + "?token=wrong", POP), 401);
            checkRefused(client.post(QUEUE, POP), 401);
            // Of the protocols only.
            assertThat(client.get("/api/v1/queues?token=" + TestServer.ADMIN).status())
                    .isEqualTo(401);
        }
    }

    @Test
    void callersOfTrustedNetworksSubmitAndWorkWithoutAToken() {
        try (TestServer server = TestServer.Kind.TOMCAT.start(
                "delayjob.server.protocols.trusted-networks=10.0.0.0/8,127.0.0.0/8",
                "delayjob.server.protocols.mykit.path=/",
                "server.servlet.context-path=/shop")) {
            OldClient client = new OldClient(server.api().url() + "/shop", "");
            assertThat(client.post("/push", "{'topic':'ces','id':'20'}").toString())
                    .isEqualTo("200 {\"success\":true,\"data\":\"20\",\"message\":null,\"code\":200}");
            assertThat(client.get("/get/ces").json().path("data").path("id").asString())
                    .isEqualTo("20");
            assertThat(client.post(QUEUE, POP).status()).isEqualTo(200);
            checkRefused(client.get("/clearAll"), 403);
            checkRefused(new OldClient(client.url(), "wrong").post(QUEUE, POP), 401);
            assertThat(client.get("/api/v1/queues").status()).isEqualTo(401);
            // Without a journal there is nothing to restore from.
            Answer restored = new OldClient(client.url(), TestServer.ADMIN).get("/reStore");
            assertThat(restored.json().path("message").asString()).contains("no journal");
        }
        try (TestServer server = TestServer.start("delayjob.server.protocols.trusted-networks=10.0.0.0/8")) {
            checkRefused(nobody(server).post(QUEUE, POP), 401);
        }
    }

    @ParameterizedTest
    @EnumSource(TestServer.Kind.class)
    void aBrowserNeedsATokenInATrustedNetworkToo(TestServer.Kind kind) {
        try (TestServer server = kind.start("delayjob.server.protocols.trusted-networks=127.0.0.0/8")) {
            assertThat(with(server, POP).statusCode()).isEqualTo(200);
            assertThat(with(server, POP, "Origin", "http://elsewhere.example").statusCode())
                    .isEqualTo(403);
            assertThat(with(server, POP, "Sec-Fetch-Site", "cross-site").statusCode())
                    .isEqualTo(403);
            assertThat(with(server, POP, "Referer", "http://elsewhere.example/").statusCode())
                    .isEqualTo(403);
            assertThat(with(server, POP, "User-Agent", "Mozilla/5.0 (X11; Linux x86_64)")
                            .body())
                    .contains("\"success\":false", "browsers need a token");
            String[] token = {"Origin", "http://elsewhere.example", "Authorization", "Bearer " + TestServer.ADMIN};
            assertThat(with(server, POP, token).statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NETTY, native",
        "NETTY, framework",
        "NETTY, none",
        "TOMCAT, native",
        "TOMCAT, framework",
        "JETTY, framework"
    })
    void headersOfProxiesMakeNobodyTrusted(TestServer.Kind kind, String strategy) {
        String forwarded = "server.forward-headers-strategy=" + strategy;
        try (TestServer server = kind.start("delayjob.server.protocols.trusted-networks=10.0.0.0/8", forwarded)) {
            assertThat(with(server, POP, "X-Forwarded-For", "10.0.0.1").statusCode())
                    .isEqualTo(401);
        }
        String proxyAndClients = "delayjob.server.protocols.trusted-networks=10.0.0.0/8,127.0.0.0/8";
        try (TestServer server = kind.start(proxyAndClients, forwarded)) {
            assertThat(with(server, POP, "X-Forwarded-For", "10.0.0.1").statusCode())
                    .isEqualTo(200);
            assertThat(with(server, POP, "X-Forwarded-For", "10.0.0.1, 203.0.113.9")
                            .statusCode())
                    .isEqualTo(401);
            assertThat(with(server, POP, "Forwarded", "for=203.0.113.9").statusCode())
                    .isEqualTo(401);
        }
    }

    private static HttpResponse<String> with(TestServer server, String command, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(server.api().url() + QUEUE))
                .POST(HttpRequest.BodyPublishers.ofString(command.replace('\'', '"')));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient()
                .sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                .join();
    }

    @Test
    void protocolsCanBeSwitchedOffAndBounded() {
        try (TestServer server = TestServer.start(
                "delayjob.server.protocols.delay-queue.max-attempts=1",
                "delayjob.server.protocols.mykit.enabled=false")) {
            OldClient client = new OldClient(server.api().url(), TestServer.ADMIN);
            assertThat(client.get("/protocols/mykit/get/t").status()).isEqualTo(404);

            client.post(QUEUE, "{'command':'add','topic':'t','id':'once','delay':0,'TTR':1,'body':''}");
            assertThat(client.post(QUEUE, "{'command':'pop','topic':'t','timeout':60}")
                            .json()
                            .path("id")
                            .asString())
                    .isEqualTo("once");
            await().untilAsserted(() -> {
                assertThat(client.post(QUEUE, "{'command':'pop','topic':'t','timeout':2}")
                                .json()
                                .has("id"))
                        .isFalse();
                assertThat(server.api()
                                .get("/queues/delay-queue.t")
                                .json()
                                .path("dead")
                                .asInt())
                        .isEqualTo(1);
            });
            // Delete is valid in every state.
            assertThat(client.post(QUEUE, "{'command':'delete','id':'once'}")
                            .json()
                            .path("success")
                            .asBoolean())
                    .isTrue();
        }
    }

    @Test
    void wrongSettingsAreRefusedAtTheStart() {
        assertThatThrownBy(() -> TestServer.start("delayjob.server.protocols.trusted-networks=everywhere"))
                .hasStackTraceContaining("must name networks");
        assertThatThrownBy(() -> TestServer.start("delayjob.server.protocols.mykit.path=mykit"))
                .hasStackTraceContaining("must begin with a slash");
    }
}

package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.delayjob.server.Api.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/** Topics that are bound over HTTP. */
@EachServer
@SuppressWarnings("NullAway.Init")
class TargetsIT {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    @Parameter
    private TestServer.Kind kind;

    private final Queue<String> signatures = new ConcurrentLinkedQueue<>();
    private final Queue<String> received = new ConcurrentLinkedQueue<>();
    private HttpServer receiver;
    private TestServer server;
    private Api admin;

    @BeforeParameterizedClassInvocation
    void start() throws IOException {
        signatures.clear();
        received.clear();
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            signatures.add("" + exchange.getRequestHeaders().getFirst("webhook-signature"));
            received.add(exchange.getRequestHeaders().getFirst("delayjob-header-subtopic") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        server = kind.start("delayjob.delivery.http.open-networks=127.0.0.1", "delayjob.retention.time=1h");
        admin = server.api();
    }

    @AfterParameterizedClassInvocation
    void stop() {
        server.close();
        receiver.stop(0);
    }

    private String body() {
        return "{\"target\": \"http://127.0.0.1:%d/hook\", \"secrets\": [\"%s\"], \"timeout\": \"PT5S\"}"
                .formatted(receiver.getAddress().getPort(), SECRET);
    }

    private static Answer is(int status, Answer answer) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(status);
        return answer;
    }

    @Test
    void bindsShowsPausesResumesAndUnbindsATopic() {
        Answer bound = is(200, admin.send("PUT", "/targets/paid", body()));
        assertThat(bound.response().body()).doesNotContain(SECRET);
        assertThat(bound.json().path("queue").asString()).isEqualTo("paid");
        assertThat(bound.json().path("secrets").asInt()).isEqualTo(1);
        assertThat(bound.json().path("state").asString()).isEqualTo("OPEN");
        assertThat(is(200, admin.get("/targets")).response().body()).contains("\"paid\"");

        is(200, admin.post("/targets/paid/pause"));
        is(201, admin.post("/queues/paid/jobs", "{\"id\": \"1\", \"topic\": \"paid\", \"delay\": \"PT0S\"}"));
        assertThat(is(200, admin.get("/targets/paid")).json().path("state").asString())
                .isEqualTo("PAUSED");
        is(200, admin.post("/targets/paid/resume"));
        await().untilAsserted(() -> assertThat(
                        admin.get("/queues/paid/jobs/1").json().path("state").asString())
                .isEqualTo("COMPLETED"));
        assertThat(signatures).anyMatch(signature -> signature.startsWith("v1,"));

        is(204, admin.delete("/targets/paid"));
        assertThat(is(404, admin.get("/targets/paid")).problem()).isEqualTo("no-such-target");
        is(404, admin.delete("/targets/paid"));
    }

    @Test
    void keepsSecretsThatAreLeftOutWhenATopicIsBoundAnew() {
        String anew = body().replaceFirst("\"secrets\": [^]]*],", "\"calls\": 3,");
        is(200, admin.send("PUT", "/targets/signed", body()));
        Answer changed = is(200, admin.send("PUT", "/targets/signed", anew));
        assertThat(changed.json().path("calls").asInt()).isEqualTo(3);
        assertThat(changed.json().path("secrets").asInt()).isEqualTo(1);
        assertThat(signatureOfAJob()).startsWith("v1,");

        Answer moved = is(400, admin.send("PUT", "/targets/signed", anew.replace("127.0.0.1", "localhost")));
        assertThat(moved.json().path("detail").asString()).contains("secrets must be given", "http://localhost");
        assertThat(signatureOfAJob()).startsWith("v1,");

        Answer unsigned = is(200, admin.send("PUT", "/targets/signed", anew.replace("{", "{\"secrets\": [], ")));
        assertThat(unsigned.json().path("secrets").asInt()).isZero();
        assertThat(signatureOfAJob()).isEqualTo("null");
        is(204, admin.delete("/targets/signed"));
    }

    private String signatureOfAJob() {
        signatures.clear();
        is(201, admin.post("/queues/signed/jobs", "{\"topic\": \"signed\", \"delay\": \"PT0S\"}"));
        return await().until(signatures::poll, Objects::nonNull);
    }

    @Test
    void refusesWhatCannotBeBound() {
        for (String refused : new String[] {
            "{\"target\": \"carrier:pigeon\"}",
            "{\"target\": \"http://169.254.169.254/latest/meta-data/\"}",
            "{\"target\": \"https://user:password@example.com/\"}",
            "{\"target\": \"http://127.0.0.1:%d/api/v1/queues/x/jobs\"}".formatted(server.port()),
            "{\"target\": \"http://127.0.0.1/\", \"secrets\": [\"whsec_c2hvcnQ=\"]}",
            "{\"target\": \"http://127.0.0.1/\", \"calls\": 0}"
        }) {
            Answer answer = is(400, admin.send("PUT", "/targets/refused", refused));
            assertThat(answer.problem()).isEqualTo("invalid-value");
        }
        assertThat(is(400, admin.send("PUT", "/targets/refused", "{}")).problem())
                .isEqualTo("invalid-body");
        is(404, admin.get("/targets/refused"));
    }

    @Test
    void callsBackWhoRegistersOverHttp() {
        String client = "{\"application\": \"shop\", \"url\": \"http://127.0.0.1:%d\", \"types\": [\"mail\"]}"
                .formatted(receiver.getAddress().getPort());
        is(200, admin.send("PUT", "/clients", client));
        assertThat(is(200, admin.get("/clients")).json().path("clients").size()).isEqualTo(1);
        is(201, admin.post("/queues/shop-mail/jobs", "{\"id\": \"1\", \"topic\": \"shop-mail\", \"delay\": \"PT0S\"}"));
        await().untilAsserted(() -> assertThat(admin.get("/queues/shop-mail/jobs/1")
                        .json()
                        .path("state")
                        .asString())
                .isEqualTo("COMPLETED"));
        is(
                204,
                admin.delete("/clients?application=shop&url=http://127.0.0.1:"
                        + receiver.getAddress().getPort()));
        assertThat(is(200, admin.get("/clients")).json().path("clients").size()).isZero();
        is(400, admin.send("PUT", "/clients", client.replace("127.0.0.1", "169.254.169.254")));
    }

    @Test
    void deliversWhatAClientOfMykitDelayPushes() {
        is(200, admin.send("PUT", "/targets/ces", body().replaceFirst("\\{", "{\"queue\": \"mykit.ces\", ")));
        OldClient client = new OldClient(server.api().url() + "/protocols/mykit", TestServer.ADMIN);
        String message = "{'topic':'ces','id':'20','subtopic':'paid','body':'{hello world}','delay':0}";
        assertThat(is(200, client.post("/push", message)).json().path("success").asBoolean())
                .isTrue();
        await().untilAsserted(() -> assertThat(admin.get("/queues/mykit.ces/jobs/20")
                        .json()
                        .path("state")
                        .asString())
                .isEqualTo("COMPLETED"));
        assertThat(received).contains("paid \"{hello world}\"");
    }

    @Test
    void showsWhatFollowsTheQuestionMarkOfATargetToAdminsOnly() {
        is(200, admin.send("PUT", "/targets/asked", body().replace("/hook", "/hook?key=hidden-1")));
        Api reader = reader("reader-of-targets");

        assertThat(is(200, admin.get("/targets/asked")).response().body()).contains("?key=hidden-1");
        assertThat(is(200, reader.get("/targets/asked")).response().body())
                .contains("/hook?…")
                .doesNotContain("hidden-1");
        assertThat(is(200, reader.get("/targets")).response().body()).doesNotContain("hidden-1");
        assertThat(is(200, reader.post("/targets/asked/pause")).response().body())
                .doesNotContain("hidden-1");
        is(204, admin.delete("/targets/asked"));
    }

    private Api reader(String name) {
        return server.api(is(
                        201,
                        admin.post(
                                "/tokens",
                                "{\"name\": \"%s\", \"roles\": [\"read\", \"operate\", \"work\"]}".formatted(name)))
                .json()
                .path("token")
                .asString());
    }

    @Test
    void saysWhatAClientMustBeAndNotWhichAddressesNamesHave() {
        String client = "{\"application\": \"ftp-shop\", \"url\": \"%s\", \"types\": [\"mail\"]}";
        Api worker = reader("registering");

        assertThat(is(400, worker.send("PUT", "/clients", client.formatted("ftp://example.com/")))
                        .response()
                        .body())
                .contains("must begin with http:// or https://", "ftp://example.com/");
        assertThat(is(400, worker.send("PUT", "/clients", client.formatted("http://[::1]/")))
                        .response()
                        .body())
                .contains("must name a host that may be called")
                .doesNotContain("0:0:0:0:0:0:0:1", "has the address");
    }

    @Test
    void letsNobodyBindWithoutTheRole() {
        String token = is(201, admin.post("/tokens", "{\"name\": \"reader\", \"roles\": [\"read\", \"operate\"]}"))
                .json()
                .path("token")
                .asString();
        Api reader = server.api(token);
        is(403, reader.send("PUT", "/targets/x", body()));
        is(200, reader.get("/targets"));
        is(404, reader.post("/targets/x/pause"));
    }
}

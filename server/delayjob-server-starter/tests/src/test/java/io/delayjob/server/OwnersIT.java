package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.engine.DelayJobEngine;
import io.delayjob.server.Api.Answer;
import io.delayjob.testing.RealRedis;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Bindings and processes belong to the queues of those who may change them, and nobody makes more of them than its share. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OwnersIT {

    private static final String HOOK = "{\"target\": \"http://127.0.0.1:9/hook\", \"queue\": \"%s\"}";

    private TestServer server;
    private Api admin;

    @BeforeAll
    void start() {
        server = TestServer.start(
                "delayjob.delivery.http.open-networks=127.0.0.1",
                "delayjob.server.limits.bindings-per-token=3",
                "delayjob.server.limits.clients-per-token=2",
                "delayjob.server.limits.claimed-queues=2");
        admin = server.api();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private static Answer is(int status, Answer answer) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(status);
        return answer;
    }

    private Api with(String name, String roles, String queues) {
        return server.api(is(
                        201,
                        admin.post(
                                "/tokens",
                                "{\"name\": \"%s\", \"roles\": [%s], \"queues\": [%s]}".formatted(name, roles, queues)))
                .json()
                .path("token")
                .asString());
    }

    private static String client(String application, int port, String... types) {
        return "{\"application\": \"%s\", \"url\": \"http://127.0.0.1:%d\", \"types\": [%s]}"
                .formatted(
                        application,
                        port,
                        List.of(types).stream().map(type -> "\"" + type + "\"").collect(Collectors.joining(",")));
    }

    private static String[] types(int count) {
        return IntStream.range(0, count).mapToObj(type -> "t" + type).toArray(String[]::new);
    }

    private static String maker(String name) {
        return "?maker=token%20%27" + name + "%27";
    }

    @Test
    void anAdministratorOfSomeQueuesChangesNoBindingOfAnotherQueue() {
        is(200, admin.send("PUT", "/targets/payments", HOOK.formatted("payments")));
        Api other = with("other-admin", "\"admin\"", "\"other-*\"");

        Answer taken = is(403, other.send("PUT", "/targets/payments", HOOK.formatted("other-q")));

        assertThat(taken.problem()).isEqualTo("forbidden");
        assertThat(taken.json().path("detail").asString())
                .contains("topic 'payments'", "token 'other-admin'")
                .doesNotContain("queue 'payments'");
        for (Answer answer : List.of(
                other.delete("/targets/payments"),
                other.post("/targets/payments/pause"),
                other.post("/targets/payments/resume"),
                other.get("/targets/payments"))) {
            assertThat(is(404, answer).problem()).isEqualTo("no-such-target");
        }
        assertThat(is(200, other.delete("/targets" + maker("admin")))
                        .json()
                        .path("unbound")
                        .asInt())
                .isZero();
        Answer still = is(200, admin.get("/targets/payments"));
        assertThat(still.json().path("queue").asString()).isEqualTo("payments");
        assertThat(still.json().path("state").asString()).isNotIn("PAUSED", "CLOSED");
        is(204, admin.delete("/targets/payments"));
    }

    @Test
    void nobodyRegistersForATypeWhoseJobsComeFromAnothersQueue() {
        is(
                200,
                admin.send(
                        "PUT", "/targets/salaries", "{\"target\": \"client://acme/%70ay\", \"queue\": \"salaries\"}"));
        is(200, admin.send("PUT", "/targets/acme-mail", HOOK.formatted("secret-mail")));
        Api other = with("acme-worker", "\"work\"", "\"acme-*\"");

        is(403, other.send("PUT", "/clients", client("acme", 9, "pay")));
        is(403, other.send("PUT", "/clients", client("acme", 9, "mail")));

        assertThat(is(200, admin.get("/clients")).response().body()).doesNotContain("acme");
        is(204, admin.delete("/targets/salaries"));
        is(204, admin.delete("/targets/acme-mail"));
    }

    @Test
    void aProcessThatOneTokenRegistersReplacesNoneOfAnother() {
        Api first = with("shop-1", "\"work\", \"read\"", "\"shop-*\"");
        Api second = with("shop-2", "\"work\", \"read\"", "\"shop-evil\"");
        is(200, first.send("PUT", "/clients", client("shop", 7, "mail")));

        is(200, second.send("PUT", "/clients", client("shop", 7, "evil")));

        assertThat(is(200, first.get("/clients")).response().body()).contains("\"mail\"", "\"evil\"");
        is(204, second.delete("/clients?application=shop&url=http://127.0.0.1:7"));
        assertThat(is(200, first.get("/clients")).response().body())
                .contains("\"mail\"")
                .doesNotContain("\"evil\"");
        is(200, admin.delete("/targets" + maker("shop-1")));
        is(200, admin.delete("/targets" + maker("shop-2")));
    }

    @Test
    void aTokenBindsNoMoreThanItsShareAndAllOfThatIsRemovedAtOnce() {
        Api greedy = with("greedy", "\"work\"", "\"*\"");
        Api good = with("good", "\"work\"", "\"good-*\"");

        Answer refused = is(429, greedy.send("PUT", "/clients", client("many", 9, types(4))));

        assertThat(refused.response().headers().firstValue("Retry-After")).isPresent();
        assertThat(refused.json().path("detail").asString()).contains("token 'greedy'", "bindings-per-token");
        assertThat(is(200, admin.get("/targets" + maker("greedy"))).json().path("targets"))
                .isEmpty();
        is(200, greedy.send("PUT", "/clients", client("many", 9, types(3))));
        is(429, greedy.send("PUT", "/clients", client("more", 9, types(1))));
        is(200, greedy.send("PUT", "/clients", client("many", 9, types(3))));
        is(200, good.send("PUT", "/clients", client("good", 9, types(3))));
        is(204, admin.delete("/tokens/greedy"));

        assertThat(is(200, admin.get("/targets" + maker("greedy"))).json().path("targets"))
                .hasSize(3)
                .allMatch(target -> target.path("maker").asString().equals("token 'greedy'"));
        assertThat(is(200, admin.delete("/targets" + maker("greedy")))
                        .json()
                        .path("unbound")
                        .asInt())
                .isEqualTo(3);
        assertThat(is(200, admin.get("/targets")).response().body())
                .contains("good-t0")
                .doesNotContain("many-t");
        is(200, admin.delete("/targets" + maker("good")));
    }

    @Test
    void aTokenRegistersNoMoreProcessesThanItsShare() {
        Api worker = with("processes", "\"work\"", "\"p-*\"");
        is(200, worker.send("PUT", "/clients", client("p", 1, "x")));
        is(200, worker.send("PUT", "/clients", client("p", 2, "x")));

        Answer refused = is(429, worker.send("PUT", "/clients", client("p", 3, "x")));

        assertThat(refused.json().path("detail").asString()).contains("token 'processes'", "clients-per-token");
        is(200, worker.send("PUT", "/clients", client("p", 1, "x")));
        is(204, worker.delete("/clients?application=p&url=http://127.0.0.1:1"));
        is(200, worker.send("PUT", "/clients", client("p", 3, "x")));
        is(200, admin.delete("/targets" + maker("processes")));
    }

    @Test
    void queuesThatOnlyTargetsTakeJobsFromDoNotCountForThoseWhoClaim() {
        Api worker = with("claims", "\"work\"", "\"claimed-*\"");
        for (int i = 0; i < 4; i++) {
            is(200, admin.send("PUT", "/targets/hook-" + i, HOOK.formatted("hook-" + i)));
        }
        await().until(() -> server.bean(DelayJobEngine.class).claimVitals().queues() >= 4);

        is(200, worker.post("/claims", "{\"queues\": [\"claimed-1\", \"claimed-2\"]}"));

        for (int i = 0; i < 4; i++) {
            is(204, admin.delete("/targets/hook-" + i));
        }
    }
}

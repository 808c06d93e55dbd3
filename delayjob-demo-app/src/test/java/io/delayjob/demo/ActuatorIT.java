package io.delayjob.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.demo.job.TestDelayJob;
import io.delayjob.testing.RealRedis;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;

/** The actuator's endpoint and health of delayjob, where the application lets it act. */
@RealRedis
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "management.endpoint.delayjob.access=unrestricted",
            "management.endpoint.health.group.readiness.include=readinessState,delayjob",
            "management.prometheus.metrics.export.enabled=true",
            "delayjob.node=demo-node",
            "delayjob.concurrency=2",
            "delayjob.max-attempts=1"
        })
final class ActuatorIT extends RunningDemo {

    private final String id = UUID.randomUUID().toString();

    private Reply get(String path) {
        return demo.actuator(HttpMethod.GET, path, null);
    }

    private Reply post(String path, String body) {
        return demo.actuator(HttpMethod.POST, path, body);
    }

    @Test
    void tellsTheHealthOfTheNode() {
        Reply health = get("/health/delayjob");

        assertThat(health.status()).isEqualTo(200);
        assertThat(health.text("status")).isEqualTo("UP");
        JsonNode queue = health.body().at("/details/queues/default");
        assertThat(queue.propertyNames())
                .containsExactlyInAnyOrder("ready", "reserved", "overdue", "paused", "consumed", "workers", "free");
        assertThat(queue.path("overdue").asString()).startsWith("PT");
        assertThat(get("/health/readiness").text("status")).isEqualTo("UP");
    }

    @Test
    void letsPrometheusReadTheMeters() {
        demo.submit("name=Ann&delay=0&id=" + id);
        String completed = "delayjob_execution_seconds_count{job_name=\"" + TestDelayJob.class.getName()
                + "\",outcome=\"completed\",queue=\"default\"}";
        Waits.soon().untilAsserted(() -> assertThat(demo.meters()).contains(completed));
    }

    @Test
    void showsTheNodeAndItsQueues() {
        Reply node = get("/delayjob");

        assertThat(node.status()).isEqualTo(200);
        assertThat(node.body().propertyNames()).containsExactlyInAnyOrder("node", "consume", "queues");
        assertThat(node.text("node")).isEqualTo("demo-node");
        JsonNode queue = node.body().at("/queues/default");
        assertThat(queue.propertyNames()).containsExactlyInAnyOrder("counts", "overdue", "here");
        assertThat(queue.path("counts").propertyNames())
                .containsExactlyInAnyOrder("delayed", "ready", "reserved", "dead", "finished", "paused");
        assertThat(queue.at("/here/workers").asInt()).isEqualTo(2);
        assertThat(queue.at("/here/troubles").isEmpty()).isTrue();
    }

    @Test
    void showsWhatRunsWhereWithoutItsParam() {
        demo.submit("name=SecretName&delay=0&sleepMillis=60000&id=" + id);
        JsonNode queue = Waits.soon().until(() -> get("/delayjob/default").body(), fleet -> running(fleet) != null);

        assertThat(queue.propertyNames()).containsExactlyInAnyOrder("queue", "counts", "nodes", "running");
        JsonNode node = queue.path("nodes").path(0);
        assertThat(node.propertyNames()).containsExactlyInAnyOrder("node", "workers", "free", "jobs");
        JsonNode job = Objects.requireNonNull(running(queue));
        assertThat(job.propertyNames())
                .containsExactlyInAnyOrder(
                        "id", "job", "state", "attempt", "dueAt", "submittedAt", "startedAt", "leaseExpiresAt", "node");
        assertThat(job.path("node").asString()).isEqualTo("demo-node");
        assertThat(queue.toString()).doesNotContain("SecretName");

        Reply cancelled = post("/delayjob/default/" + id, "{\"action\":\"cancel\"}");
        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(cancelled.body()).hasToString("{\"done\":true,\"previous\":\"RESERVED\"}");
    }

    private @Nullable JsonNode running(JsonNode fleet) {
        Optional<JsonNode> found = fleet.path("running")
                .valueStream()
                .filter(job -> job.path("id").asString().equals(id))
                .findFirst();
        return found.orElse(null);
    }

    @Test
    void explainsReschedulesAndRunsAJob() {
        demo.submit("name=SecretName&delay=3600&id=" + id);

        Reply explained = get("/delayjob/default/" + id);
        assertThat(explained.status()).isEqualTo(200);
        assertThat(explained.body().propertyNames()).containsExactlyInAnyOrder("reason", "text", "job");
        assertThat(explained.text("reason")).isEqualTo("NOT_DUE");
        assertThat(explained.body().toString()).doesNotContain("SecretName");

        Reply later = post("/delayjob/default/" + id, "{\"action\":\"reschedule\",\"delay\":\"2h\"}");
        assertThat(later.body()).hasToString("{\"done\":true,\"previous\":\"DELAYED\"}");

        Reply now = post("/delayjob/default/" + id, "{\"action\":\"run-now\"}");
        assertThat(now.text("previous")).isEqualTo("DELAYED");
        Waits.soon().until(() -> demo.latest(id, "COMPLETED").isPresent());
    }

    @Test
    void pausesAndResumesAQueue() {
        Reply paused = post("/delayjob/default", "{\"action\":\"pause\"}");

        assertThat(paused.status()).isEqualTo(200);
        assertThat(paused.body()).hasToString("{\"queue\":\"default\",\"action\":\"PAUSE\"}");
        demo.submit("name=Ann&delay=0&id=" + id);
        assertThat(get("/delayjob/default").body().at("/counts/paused").asBoolean())
                .isTrue();
        Waits.soon().until(() -> get("/delayjob/default/" + id).text("reason").equals("PAUSED"));

        post("/delayjob/default", "{\"action\":\"resume\"}");
        Waits.soon().until(() -> demo.latest(id, "COMPLETED").isPresent());
    }

    @Test
    void redrivesAndPurgesDeadJobs() {
        demo.submit("name=Ann&delay=0&fail=1&id=" + id);
        Waits.soon().until(() -> get("/delayjob/default/" + id).text("reason").equals("DEAD"));

        Reply redriven = post("/delayjob/default/" + id, "{\"action\":\"redrive\"}");
        assertThat(redriven.body()).hasToString("{\"done\":true,\"previous\":\"DEAD\"}");
        Waits.soon().until(() -> get("/delayjob/default/" + id).text("reason").equals("DEAD"));

        Reply all = post("/delayjob/default", "{\"action\":\"redrive\",\"limit\":10,\"perSecond\":100}");
        assertThat(all.body()).hasToString("{\"queue\":\"default\",\"action\":\"REDRIVE\",\"jobs\":1}");
        Waits.soon().until(() -> get("/delayjob/default/" + id).text("reason").equals("DEAD"));

        Reply purged = post("/delayjob/default", "{\"action\":\"purge\",\"olderThan\":\"0s\"}");
        assertThat(purged.body()).hasToString("{\"queue\":\"default\",\"action\":\"PURGE\",\"jobs\":1}");
        assertThat(get("/delayjob/default/" + id).status()).isEqualTo(404);
    }

    @Test
    void knowsNoJobThatIsNotThere() {
        assertThat(get("/delayjob/default/" + id).status()).isEqualTo(404);
        assertThat(post("/delayjob/default/" + id, "{\"action\":\"cancel\"}").status())
                .isIn(Set.of(204, 404));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /delayjob/default    | {}
                    /delayjob/default    | {"action":"dance"}
                    /delayjob/default    | {"action":"purge"}
                    /delayjob/default    | {"action":"redrive","limit":0}
                    /delayjob/def{ault}  | {"action":"pause"}
                    /delayjob/default/x  | {"action":"reschedule"}
                    /delayjob/default/x  | {"action":"reschedule","delay":"-1s"}
                    """)
    void refusesWhatMakesNoSense(String path, String body) {
        assertThat(post(path.replace("{", "%7B").replace("}", "%7D"), body).status())
                .isEqualTo(400);
    }
}

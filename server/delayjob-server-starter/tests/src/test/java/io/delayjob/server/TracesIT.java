package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobListener;
import io.delayjob.server.Api.Answer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.JsonNode;

/** Traces from a request that submits to the worker, with OpenTelemetry's SDK, as Boot sets it up. */
@EachServer
@SuppressWarnings("NullAway.Init")
class TracesIT {

    private static final String NO_SPAN = "0000000000000000";

    @Parameter
    private TestServer.Kind kind;

    private TestServer server;

    /** Runs jobs that were submitted over HTTP. */
    static class Beans {

        @DelayJobListener(topic = "in-a-bean")
        void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Tracing {

        @Bean
        Beans beans() {
            return new Beans();
        }

        @Bean
        InMemorySpanExporter spans() {
            return InMemorySpanExporter.create();
        }
    }

    @BeforeParameterizedClassInvocation
    void start() {
        server = kind.startWith(
                Tracing.class, "management.tracing.sampling.probability=1.0", "delayjob.queues.run-here.concurrency=1");
    }

    @AfterParameterizedClassInvocation
    void stop() {
        server.close();
    }

    /** A trace of the caller's. */
    private record Caller(String trace, String span) {

        static Caller some() {
            String random = UUID.randomUUID().toString().replace("-", "");
            return new Caller(random, random.substring(0, 16));
        }

        String header() {
            return "00-" + trace + "-" + span + "-01";
        }
    }

    private Answer submit(Caller caller, String path, String body) {
        return server.api().withHeader("traceparent", caller.header()).post(path, body);
    }

    private List<SpanData> spans(String trace, SpanKind ofKind, int count) {
        InMemorySpanExporter exporter = server.bean(InMemorySpanExporter.class);
        await().until(() -> {
            server.bean(SdkTracerProvider.class).forceFlush().join(10, TimeUnit.SECONDS);
            return find(exporter, trace, ofKind).size() >= count;
        });
        return find(exporter, trace, ofKind);
    }

    private static List<SpanData> find(InMemorySpanExporter exporter, String trace, SpanKind ofKind) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getTraceId().equals(trace) && span.getKind() == ofKind)
                .toList();
    }

    private static String spanOf(JsonNode job) {
        String header = job.path("headers").path("traceparent").asString();
        return header.split("-", -1)[2];
    }

    @Test
    void aClaimedJobHasTheTraceOfTheRequestThatSubmittedIt() {
        Caller caller = Caller.some();
        submit(caller, "/queues/claimed/jobs", "{\"topic\": \"t\", \"delay\": \"PT0S\"}");

        JsonNode job = server.api()
                .post("/queues/claimed/claims", "{\"wait\": \"PT60S\"}")
                .json()
                .path("jobs")
                .get(0);

        SpanData request = spans(caller.trace(), SpanKind.SERVER, 1).get(0);
        SpanData submit = spans(caller.trace(), SpanKind.PRODUCER, 1).get(0);
        assertThat(request.getName()).isEqualTo("http post /api/v1/queues/{queue}/jobs");
        assertThat(request.getAttributes().get(AttributeKey.stringKey("uri"))).isEqualTo("/api/v1/queues/{queue}/jobs");
        assertThat(request.getParentSpanId()).isEqualTo(caller.span());
        assertThat(submit.getParentSpanId()).isEqualTo(request.getSpanId());
        assertThat(job.path("headers").path("traceparent").asString()).contains(caller.trace());
        assertThat(spanOf(job)).isEqualTo(submit.getSpanId());
    }

    @Test
    void soHaveTheJobsOfABatch() {
        Caller caller = Caller.some();
        submit(
                caller,
                "/queues/batch/jobs/batch",
                "{\"jobs\": [{\"id\": \"a\", \"topic\": \"t\", \"delay\": \"PT1H\"},"
                        + " {\"id\": \"b\", \"topic\": \"t\", \"dueAt\": \"2099-01-01T00:00:00Z\"}]}");

        List<String> submits = spans(caller.trace(), SpanKind.PRODUCER, 2).stream()
                .map(SpanData::getSpanId)
                .toList();
        assertThat(List.of("a", "b"))
                .allSatisfy(id -> assertThat(spanOf(
                                server.api().get("/queues/batch/jobs/" + id).json()))
                        .isIn(submits));
    }

    @Test
    void aSubmitWithAKeyToo() {
        Caller caller = Caller.some();
        server.api()
                .withKey("traced")
                .withHeader("traceparent", caller.header())
                .post("/queues/keyed/jobs", "{\"topic\": \"t\", \"delay\": \"PT0S\"}");

        SpanData submit = spans(caller.trace(), SpanKind.PRODUCER, 1).get(0);
        JsonNode job = server.api()
                .post("/queues/keyed/claims", "{\"wait\": \"PT60S\"}")
                .json()
                .path("jobs")
                .get(0);
        assertThat(spanOf(job)).isEqualTo(submit.getSpanId());
    }

    @Test
    void theAttemptOfABeanLinksToIt() {
        Caller caller = Caller.some();
        submit(caller, "/queues/run-here/jobs", "{\"topic\": \"in-a-bean\", \"delay\": \"PT0S\"}");

        SpanData submit = spans(caller.trace(), SpanKind.PRODUCER, 1).get(0);
        InMemorySpanExporter exporter = server.bean(InMemorySpanExporter.class);
        await().untilAsserted(() -> {
            server.bean(SdkTracerProvider.class).forceFlush().join(10, TimeUnit.SECONDS);
            assertThat(exporter.getFinishedSpanItems())
                    .filteredOn(span -> span.getKind() == SpanKind.CONSUMER)
                    .flatExtracting(SpanData::getLinks)
                    .anySatisfy(link -> {
                        assertThat(link.getSpanContext().getTraceId()).isEqualTo(caller.trace());
                        assertThat(link.getSpanContext().getSpanId()).isEqualTo(submit.getSpanId());
                    });
        });
    }

    @Test
    void aTraceInTheJobsOwnHeadersIsLeftAlone() {
        Caller own = Caller.some();
        submit(
                Caller.some(),
                "/queues/own/jobs",
                "{\"id\": \"a\", \"topic\": \"t\", \"delay\": \"PT1H\", \"headers\": {\"traceparent\": \"%s\"}}"
                        .formatted(own.header()));

        assertThat(server.api()
                        .get("/queues/own/jobs/a")
                        .json()
                        .path("headers")
                        .path("traceparent")
                        .asString())
                .isEqualTo(own.header());
    }

    @Test
    void aServerThatDoesNotTraceStoresWhatTheCallerSent() {
        Caller caller = Caller.some();
        try (TestServer silent = kind.start("delayjob.observation-enabled=false")) {
            Api api = silent.api();
            Api traced = api.withHeader("traceparent", caller.header()).withHeader("tracestate", "shop=1");
            traced.post("/queues/passed/jobs", "{\"id\": \"a\", \"topic\": \"t\", \"delay\": \"PT1H\"}");
            traced.post(
                    "/queues/passed/jobs/batch",
                    "{\"jobs\": [{\"id\": \"b\", \"topic\": \"t\", \"delay\": \"PT1H\", \"headers\": {\"x\": \"y\"}},"
                            + " {\"id\": \"c\", \"topic\": \"t\", \"delay\": \"PT1H\", \"headers\": {\"traceparent\":"
                            + " \"own\"}}]}");
            api.withHeader("traceparent", "nonsense")
                    .post("/queues/passed/jobs", "{\"id\": \"d\", \"topic\": \"t\", \"delay\": \"PT1H\"}");

            Map<String, String> sent = Map.of("traceparent", caller.header(), "tracestate", "shop=1");
            assertThat(headers(api, "a")).isEqualTo(sent);
            assertThat(headers(api, "b")).containsAllEntriesOf(sent).containsEntry("x", "y");
            assertThat(headers(api, "c")).isEqualTo(Map.of("traceparent", "own"));
            assertThat(headers(api, "d")).isEmpty();
        }
    }

    private static Map<String, String> headers(Api api, String id) {
        return api.get("/queues/passed/jobs/" + id)
                .json()
                .path("headers")
                .propertyStream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, header -> header.getValue().asString()));
    }

    @Test
    void aRequestWithoutATraceBeginsOne() {
        server.api().post("/queues/none/jobs", "{\"id\": \"a\", \"topic\": \"t\", \"delay\": \"PT1H\"}");

        JsonNode job = server.api().get("/queues/none/jobs/a").json();

        assertThat(spanOf(job)).hasSize(16).isNotEqualTo(NO_SPAN);
    }
}

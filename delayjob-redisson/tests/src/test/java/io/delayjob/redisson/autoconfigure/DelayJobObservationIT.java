package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.spring.observation.DefaultJobExecutionConvention;
import io.delayjob.spring.observation.JobExecutionContext;
import io.delayjob.spring.observation.JobExecutionConvention;
import io.delayjob.testing.RealRedis;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Traces of an application with OpenTelemetry's SDK, as Boot sets it up. */
@RealRedis
class DelayJobObservationIT {

    private static final Duration SOON = Duration.ofMinutes(2);

    private final String queue = TestApplication.queue();

    /** Keeps the trace header and what its thread logs; fails if told so. */
    static class TracedJob implements DelayJob<Parcel> {

        private final Inbox inbox;

        TracedJob(Inbox inbox) {
            this.inbox = inbox;
        }

        @Override
        public void execute(JobExecution<Parcel> execution) {
            String text = execution.param().text();
            inbox.add(text + " " + execution.headers().getOrDefault("traceparent", "none"));
            inbox.add(MDC.get("delayjob.id") + " in trace " + (MDC.get("traceId") == null ? "none" : "one"));
            if (text.equals("broken") && execution.attempt() == 1) {
                throw new IllegalStateException("broken");
            }
        }
    }

    /** An application with one job and spans that stay in memory. */
    @Configuration(proxyBeanMethods = false)
    static class App {

        @Bean
        TracedJob tracedJob(Inbox inbox) {
            return new TracedJob(inbox);
        }

        @Bean
        InMemorySpanExporter spans() {
            return InMemorySpanExporter.create();
        }
    }

    /** Names executions in its own way. */
    @Configuration(proxyBeanMethods = false)
    static class Renaming extends App {

        @Bean
        JobExecutionConvention convention() {
            return new DefaultJobExecutionConvention() {
                @Override
                public String getContextualName(JobExecutionContext context) {
                    return "mine " + context.execution().attempt();
                }
            };
        }
    }

    private ConfigurableApplicationContext start(Class<?> source) {
        return TestApplication.start(
                source,
                queue,
                "delayjob.observation-enabled=true",
                "management.tracing.sampling.probability=1.0",
                "delayjob.backoff.initial=10ms");
    }

    private static DelayJobRequest<Parcel> request(String text) {
        return DelayJobRequest.of(TracedJob.class, new Parcel(text, 1)).withId(text);
    }

    private static void submit(ConfigurableApplicationContext app, String text) {
        app.getBean(DelayJobProducer.class).submitDelayJob(request(text), Duration.ofMillis(100));
    }

    private static List<SpanData> spans(ConfigurableApplicationContext app, String name, int count) {
        InMemorySpanExporter exporter = app.getBean(InMemorySpanExporter.class);
        await().atMost(SOON).until(() -> {
            app.getBean(SdkTracerProvider.class).forceFlush().join(10, TimeUnit.SECONDS);
            return named(exporter, name).size() >= count;
        });
        return named(exporter, name);
    }

    private static List<SpanData> named(InMemorySpanExporter exporter, String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    private static boolean hasFailed(SpanData span) {
        return span.getStatus().getStatusCode() == StatusCode.ERROR;
    }

    private static String attribute(SpanData span, String key) {
        return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(key)));
    }

    @Test
    void anAttemptLinksToTheSubmitThatBelongsToItsRequest() {
        try (ConfigurableApplicationContext app = start(App.class)) {
            Observation.createNotStarted("request", app.getBean(ObservationRegistry.class))
                    .observe(() -> submit(app, "fine"));
            SpanData request = spans(app, "request", 1).get(0);
            SpanData submit = spans(app, "submit " + queue, 1).get(0);
            SpanData execution = spans(app, "execute " + queue, 1).get(0);
            assertThat(submit.getKind()).isEqualTo(SpanKind.PRODUCER);
            assertThat(submit.getParentSpanId()).isEqualTo(request.getSpanId());
            assertThat(execution.getKind()).isEqualTo(SpanKind.CONSUMER);
            assertThat(execution.getParentSpanContext().isValid()).isFalse();
            assertThat(execution.getTraceId()).isNotEqualTo(submit.getTraceId());
            assertThat(execution.getLinks())
                    .extracting(LinkData::getSpanContext)
                    .singleElement()
                    .satisfies(link -> {
                        assertThat(link.getTraceId()).isEqualTo(submit.getTraceId());
                        assertThat(link.getSpanId()).isEqualTo(submit.getSpanId());
                    });
            String header = "00-%s-%s-%s"
                    .formatted(
                            submit.getTraceId(),
                            submit.getSpanId(),
                            submit.getSpanContext().getTraceFlags().asHex());
            app.getBean(Inbox.class).awaitExactly("fine " + header, "fine in trace one");
        }
    }

    @Test
    void spansHaveTheKeysOfOpenTelemetryForMessaging() {
        try (ConfigurableApplicationContext app = start(App.class)) {
            submit(app, "fine");
            SpanData submit = spans(app, "submit " + queue, 1).get(0);
            SpanData execution = spans(app, "execute " + queue, 1).get(0);
            for (SpanData span : List.of(submit, execution)) {
                assertThat(attribute(span, "messaging.system")).isEqualTo("delayjob");
                assertThat(attribute(span, "messaging.destination.name")).isEqualTo(queue);
                assertThat(attribute(span, "messaging.message.id")).isEqualTo("fine");
                assertThat(attribute(span, "delayjob.job")).isEqualTo(TracedJob.class.getName());
            }
            assertThat(attribute(submit, "messaging.operation.type")).isEqualTo("send");
            assertThat(attribute(submit, "delayjob.outcome")).isEqualTo("stored");
            assertThat(attribute(execution, "messaging.operation.type")).isEqualTo("process");
            assertThat(attribute(execution, "delayjob.attempt")).isEqualTo("1");
        }
    }

    @Test
    void eachAttemptIsATraceOfItsOwnAndTellsItsFailure() {
        try (ConfigurableApplicationContext app = start(App.class)) {
            submit(app, "broken");
            List<SpanData> attempts = spans(app, "execute " + queue, 2);
            assertThat(attempts).extracting(SpanData::getTraceId).doesNotHaveDuplicates();
            assertThat(attempts).extracting(DelayJobObservationIT::hasFailed).containsExactlyInAnyOrder(true, false);
            assertThat(attempts).allSatisfy(span -> assertThat(span.getLinks()).hasSize(1));
        }
    }

    @Test
    void aSubmitOfManyIsOneSpanAndAsksTheCallerAboutTheCallersRequests() {
        try (ConfigurableApplicationContext app = start(App.class)) {
            List<DelayJobRequest<Parcel>> requests = List.of(request("a"), request("b"));
            app.getBean(DelayJobProducer.class)
                    .submitDelayJobs(requests, one -> requests.contains(one) ? Duration.ZERO : Duration.ofDays(1));
            SpanData submit = spans(app, "submit " + queue, 1).get(0);
            assertThat(attribute(submit, "messaging.batch.message_count")).isEqualTo("2");
            assertThat(spans(app, "execute " + queue, 2))
                    .allSatisfy(span -> assertThat(span.getLinks())
                            .extracting(link -> link.getSpanContext().getSpanId())
                            .containsExactly(submit.getSpanId()));
        }
    }

    @Test
    void aSubmitThatNobodyWaitsForIsObservedUntilItIsAnswered() {
        try (ConfigurableApplicationContext app = start(App.class)) {
            DelayJobProducer producer = app.getBean(DelayJobProducer.class);
            // Not due before the second one was refused.
            producer.submitAsync(request("fine"), Duration.ofHours(1)).join();
            producer.submitAsync(request("fine"), Instant.now()).join();
            app.getBean(DelayJobAdmin.class).runNow(queue, "fine");
            List<SpanData> submits = spans(app, "submit " + queue, 2);
            assertThat(submits)
                    .extracting(span -> attribute(span, "delayjob.outcome"))
                    .containsExactly("stored", "exists");
            assertThat(spans(app, "execute " + queue, 1).get(0).getLinks())
                    .extracting(link -> link.getSpanContext().getSpanId())
                    .containsExactly(submits.get(0).getSpanId());
        }
    }

    @Test
    void aHeaderOfTheCallersIsLeftAloneAndARefusedSubmitIsAFailedSpan() {
        try (ConfigurableApplicationContext app = start(App.class)) {
            DelayJobProducer producer = app.getBean(DelayJobProducer.class);
            producer.submitDelayJob(request("own").withHeader("traceparent", "mine"), Duration.ZERO);
            app.getBean(Inbox.class).awaitExactly("own mine", "own in trace one");
            assertThat(spans(app, "execute " + queue, 1).get(0).getLinks()).isEmpty();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> producer.submitDelayJob(request("late"), Duration.ofDays(-1)));
            assertThat(spans(app, "submit " + queue, 2))
                    .extracting(DelayJobObservationIT::hasFailed)
                    .containsExactly(false, true);
        }
    }

    @Test
    void aConventionOfTheApplicationNamesSpans() {
        try (ConfigurableApplicationContext app = start(Renaming.class)) {
            submit(app, "fine");
            assertThat(spans(app, "mine 1", 1)).hasSize(1);
        }
    }
}

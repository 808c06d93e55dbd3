package io.delayjob.client.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobSchedules;
import io.delayjob.client.HttpDelayJobClaims;
import io.delayjob.client.HttpDelayJobProducer;
import io.delayjob.client.HttpDelayJobSchedules;
import io.delayjob.client.HttpDelayJobSettings;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DelayJobClientAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobClientAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    DelayJobAutoConfiguration.class));

    private ApplicationContextRunner withUrl(String... more) {
        return runner.withPropertyValues("delayjob.client.url=https://jobs.example.com/")
                .withPropertyValues(more);
    }

    @Test
    void isThereOnceTheUrlIsSet() {
        withUrl("delayjob.client.token=djt_secret", "delayjob.client.queue=mail", "delayjob.client.timeout=3s")
                .run(context -> {
                    assertThat(context.getBean(DelayJobProducer.class)).isInstanceOf(HttpDelayJobProducer.class);
                    assertThat(context.getBean(DelayJobClaims.class)).isInstanceOf(HttpDelayJobClaims.class);
                    assertThat(context.getBean(DelayJobSchedules.class)).isInstanceOf(HttpDelayJobSchedules.class);
                    HttpDelayJobSettings settings = context.getBean(HttpDelayJobSettings.class);
                    assertThat(settings)
                            .hasToString(
                                    "HttpDelayJobSettings[url=https://jobs.example.com, queue=mail, timeout=PT3S]");
                    assertThat(settings.token()).isEqualTo("djt_secret");
                    assertThat(settings.mapper()).isSameAs(context.getBean(JsonMapper.class));
                    assertThat(context.getBean(DelayJobClientProperties.class).toString())
                            .doesNotContain("secret");
                });
    }

    @Test
    void isNotThereWithoutAUrl() {
        runner.withPropertyValues("delayjob.client.token=t")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(DelayJobProducer.class)
                        .doesNotHaveBean(DelayJobClaims.class));
    }

    @Test
    @SuppressWarnings("try")
    void submitsNameTheSpanThatTheyAreIn() {
        withUrl("delayjob.client.token=t")
                .withConfiguration(AutoConfigurations.of(
                        OpenTelemetrySdkAutoConfiguration.class,
                        OpenTelemetryTracingAutoConfiguration.class,
                        MicrometerTracingAutoConfiguration.class))
                .run(context -> {
                    HttpDelayJobSettings settings = context.getBean(HttpDelayJobSettings.class);
                    Tracer tracer = context.getBean(Tracer.class);
                    Span span = tracer.nextSpan().start();
                    try (Tracer.SpanInScope scope = tracer.withSpan(span)) {
                        assertThat(settings.submitHeaders().get().get("traceparent"))
                                .contains(
                                        span.context().traceId(), span.context().spanId());
                    }
                    assertThat(settings.submitHeaders().get()).isEmpty();
                });
    }

    @Test
    void needsNothingOfMicrometer() {
        withUrl("delayjob.client.token=t")
                .withClassLoader(new FilteredClassLoader("io.micrometer.tracing"))
                .run(context -> assertThat(context.getBean(HttpDelayJobSettings.class)
                                .submitHeaders()
                                .get())
                        .isEmpty());
    }

    @Test
    void needsNoMapperOfTheApplication() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DelayJobClientAutoConfiguration.class))
                .withPropertyValues("delayjob.client.url=http://localhost", "delayjob.client.token=t")
                .run(context -> {
                    HttpDelayJobSettings settings = context.getBean(HttpDelayJobSettings.class);
                    assertThat(settings.mapper()).isSameAs(JsonMapper.shared());
                    assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(10));
                    assertThat(settings.queue()).isNull();
                });
    }

    @Test
    void givesWayToBeansOfTheApplication() {
        DelayJobProducer own = mock(DelayJobProducer.class);
        withUrl("delayjob.client.token=t")
                .withBean(DelayJobProducer.class, () -> own)
                .run(context -> {
                    assertThat(context.getBean(DelayJobProducer.class)).isSameAs(own);
                    assertThat(context).hasSingleBean(DelayJobClaims.class);
                });
    }

    @Test
    void aMissingTokenIsReportedByItsProperty() {
        withUrl()
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(DelayJobException.class)
                        .hasMessageStartingWith("delayjob.client.token is not set"));
    }

    @Test
    void aBadValueIsReportedByItsProperty() {
        withUrl("delayjob.client.token=t", "delayjob.client.queue=a b")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("DelayJobException: delayjob.client.queue must be"));
        runner.withPropertyValues("delayjob.client.url=jobs", "delayjob.client.token=djt_secret")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("DelayJobException: delayjob.client.url must be")
                        .satisfies(failure -> assertThat(failure.toString()).doesNotContain("secret")));
    }

    @Test
    void refusesAnApplicationThatAlsoHasAnEngine() {
        withUrl("delayjob.client.token=t")
                .withBean(MemoryBackend.class, () -> new MemoryBackend(System::currentTimeMillis))
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(DelayJobException.class)
                        .hasMessageContaining("delayjob.client.url")
                        .hasMessageContaining("delayjob.enabled=false"));
    }

    @Test
    void anEngineThatIsSwitchedOffIsInNobodysWay() {
        withUrl("delayjob.client.token=t", "delayjob.enabled=false")
                .run(context -> assertThat(context).hasSingleBean(HttpDelayJobProducer.class));
    }

    @Test
    void everyPropertyIsDescribedForEditors() throws IOException {
        List<JsonNode> properties = new ArrayList<>();
        for (URL module : Collections.list(
                getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream metadata = module.openStream()) {
                JsonMapper.shared().readTree(metadata).path("properties").forEach(properties::add);
            }
        }
        properties.removeIf(property -> !property.path("name").asString().startsWith("delayjob.client."));

        assertThat(properties)
                .extracting(property -> property.path("name").asString())
                .containsExactlyInAnyOrder(
                        "delayjob.client.url",
                        "delayjob.client.token",
                        "delayjob.client.queue",
                        "delayjob.client.timeout");
        assertThat(properties).allSatisfy(property -> {
            String description = property.path("description").asString();
            assertThat(description).matches("[A-Z][^{}<>@]+\\.");
            assertThat(property.has("defaultValue") || description.contains("If not set"))
                    .isTrue();
        });
    }
}

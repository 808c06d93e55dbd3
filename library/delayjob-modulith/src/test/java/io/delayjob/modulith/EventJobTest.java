package io.delayjob.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

/** Tests how an annotation is read into the job of an event. */
class EventJobTest {

    private static final UUID PUBLICATION = UUID.fromString("0b8ab9e8-6f0a-4f0c-9d5e-3f2b8e3b7a11");

    @DelayJobExternalized(topic = "plain")
    record Plain() {}

    @DelayJobExternalized(
            topic = "t",
            queue = "${shop.queue}",
            delay = "${shop.delay:90s}",
            id = "#{shop()}-#{number() + 1}")
    record Full(String shop, int number) {}

    @DelayJobExternalized(topic = "t", delay = "#{pause()}")
    record Waiting(Duration pause) {}

    @DelayJobExternalized(topic = "t", id = "#{T(java.lang.Runtime).getRuntime()}")
    record Curious() {}

    @Test
    void isDueAtOnceUnderTheIdOfThePublicationByDefault() {
        DelayJobRequest<Object> request = job(Plain.class).request(new Plain(), PUBLICATION);
        assertThat(request.topic()).isEqualTo("plain");
        assertThat(request.id()).isEqualTo(PUBLICATION.toString());
        assertThat(request.queue()).isNull();
        assertThat(request.afterCommit()).isFalse();
        assertThat(job(Plain.class).delay(new Plain())).isZero();
    }

    @Test
    void resolvesPlaceholdersAndAsksTheEvent() {
        Full event = new Full("acme", 41);
        DelayJobRequest<Object> request = job(Full.class).request(event, PUBLICATION);
        assertThat(request.id()).isEqualTo("acme-42");
        assertThat(request.queue()).isEqualTo("orders");
        assertThat(request.param()).isSameAs(event);
        assertThat(job(Full.class).delay(event)).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void takesADurationOfTheEvent() {
        assertThat(job(Waiting.class).delay(new Waiting(Duration.ofMillis(1500))))
                .isEqualTo(Duration.ofMillis(1500));
    }

    @Test
    void refusesADelayThatIsNone() {
        assertThatThrownBy(() -> job(Waiting.class).delay(new Waiting(Duration.ofMillis(-1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delay");
    }

    @Test
    void letsAnExpressionReachNothingButTheEvent() {
        assertThatThrownBy(() -> job(Curious.class).request(new Curious(), PUBLICATION))
                .hasMessageContaining("java.lang.Runtime");
    }

    private static EventJob job(Class<?> type) {
        MockEnvironment environment = new MockEnvironment().withProperty("shop.queue", "orders");
        return EventJob.of(
                Objects.requireNonNull(type.getAnnotation(DelayJobExternalized.class)),
                environment::resolveRequiredPlaceholders);
    }
}

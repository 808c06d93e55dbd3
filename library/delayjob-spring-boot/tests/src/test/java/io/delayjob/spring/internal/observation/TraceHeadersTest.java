package io.delayjob.spring.internal.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobRequest;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TraceHeadersTest {

    private final DelayJobRequest<String> request =
            DelayJobRequest.toTopic("close-order", "x").withHeader("tenant", "a");

    @Test
    void travelBesideTheHeadersOfTheRequest() {
        assertThat(TraceHeaders.on(request, Map.of("traceparent", "00-1")).headers())
                .isEqualTo(Map.of("tenant", "a", "traceparent", "00-1"));
    }

    @Test
    void leaveTheHeadersOfTheRequestAsTheyAre() {
        DelayJobRequest<String> own = request.withHeader("traceparent", "mine");
        assertThat(TraceHeaders.on(own, Map.of("traceparent", "00-1"))).isEqualTo(own);
        assertThat(TraceHeaders.on(own, Map.of())).isSameAs(own);
    }

    @Test
    void stayBehindWhereTheyAreTooLong() {
        Map<String, String> trace = Map.of("baggage", "b".repeat(8193), "traceparent", "00-1");
        assertThat(TraceHeaders.on(request, trace).headers()).isEqualTo(Map.of("tenant", "a", "traceparent", "00-1"));
    }
}

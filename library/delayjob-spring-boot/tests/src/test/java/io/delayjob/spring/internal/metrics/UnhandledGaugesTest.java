package io.delayjob.spring.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.QueueCounts;
import io.delayjob.engine.ledger.Tally;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnhandledGaugesTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicLong clock = new AtomicLong();
    private Map<String, Long> unhandled = Map.of();
    private final Tallies tallies = new Tallies(
            List.of("orders"),
            queue -> CompletableFuture.completedFuture(
                    new Tally(new QueueCounts(0, 0, 0, 0, 0, false), 0, 0, 0, 0, new TreeMap<>(unhandled))),
            clock::get);

    UnhandledGaugesTest() {
        tallies.onAnswer(new UnhandledGauges(registry, tallies)::show);
    }

    private Map<String, Double> scraped(Map<String, Long> now) {
        unhandled = now;
        clock.addAndGet(10_000_000_000L);
        tallies.of("orders");
        return registry.find("delayjob.unhandled").tag("queue", "orders").gauges().stream()
                .collect(Collectors.toMap(gauge -> gauge.getId().getTag("job.name"), gauge -> gauge.value()));
    }

    @Test
    void aNameHasAGaugeWhileItsJobsWait() {
        assertThat(scraped(Map.of())).isEmpty();
        assertThat(scraped(Map.of("ship", 2L, "bill", 1L))).isEqualTo(Map.of("ship", 2.0, "bill", 1.0));
        assertThat(scraped(Map.of("ship", 3L))).isEqualTo(Map.of("ship", 3.0));
        assertThat(scraped(Map.of())).isEmpty();
    }

    @Test
    void manyNamesDoNotFillTheRegistry() {
        Map<String, Double> gauges = scraped(
                IntStream.range(0, 100).boxed().collect(Collectors.toMap(n -> "topic-%02d".formatted(n), n -> 1L)));
        assertThat(gauges).hasSize(21).containsEntry("topic-19", 1.0).containsEntry("(other)", 80.0);
    }
}

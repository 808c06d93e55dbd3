package io.delayjob.server.internal.protocols.mykit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class SnowflakesTest {

    private final AtomicLong clock = new AtomicLong(1_797_000_000_000L);

    private List<Long> ids(Snowflakes made, int count) {
        return Stream.generate(
                        () -> Long.valueOf(Objects.requireNonNull(made.next().block())))
                .limit(count)
                .toList();
    }

    @Test
    void growAndAreUniqueWithinAMillisecondAndWhenTheClockGoesBack() {
        Snowflakes made = new Snowflakes(clock::get, Mono.just(7L));
        List<Long> first = ids(made, 10_000);
        clock.addAndGet(-1000);
        List<Long> second = ids(made, 10_000);
        assertThat(Stream.concat(first.stream(), second.stream()).toList())
                .doesNotHaveDuplicates()
                .isSorted();
    }

    @Test
    void differBetweenServers() {
        List<Long> one = ids(new Snowflakes(clock::get, Mono.just(1L)), 5000);
        assertThat(ids(new Snowflakes(clock::get, Mono.just(2L)), 5000)).doesNotContainAnyElementsOf(one);
    }

    @Test
    void haveTheTimeInTheirUpperBits() {
        Snowflakes made = new Snowflakes(clock::get, Mono.just(1023L + 1024L));
        long id = ids(made, 1).get(0);
        assertThat((id >>> 22) + 1_288_834_974_657L).isEqualTo(clock.get());
        assertThat(id >>> 12 & 1023).isEqualTo(1023);
    }
}

package io.delayjob.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class ChecksPropertyTest {

    /** The seconds from 1970 to the year 10000. */
    private static final long YEAR_10000 = 253_402_300_800L;

    @Property
    void ceilMillisOfADurationIsTheFirstMillisecondNotBeforeIt(
            @ForAll @LongRange(min = 0, max = YEAR_10000) long seconds,
            @ForAll @IntRange(max = 999_999_999) int nanos) {
        Duration exact = Duration.ofSeconds(seconds, nanos);
        long millis = Checks.ceilMillis(exact);
        assertThat(Duration.ofMillis(millis)).isGreaterThanOrEqualTo(exact);
        assertThat(Duration.ofMillis(millis - 1)).isLessThan(exact);
    }

    @Property
    void ceilMillisOfAnInstantIsTheFirstMillisecondNotBeforeIt(
            @ForAll @LongRange(min = -YEAR_10000, max = YEAR_10000) long seconds,
            @ForAll @IntRange(max = 999_999_999) int nanos) {
        Instant exact = Instant.ofEpochSecond(seconds, nanos);
        long millis = Checks.ceilMillis(exact);
        assertThat(Instant.ofEpochMilli(millis)).isAfterOrEqualTo(exact);
        assertThat(Instant.ofEpochMilli(millis - 1)).isBefore(exact);
    }

    @Property
    void ceilMillisKeepsWholeMilliseconds(@ForAll @LongRange(min = 0, max = YEAR_10000 * 1000) long millis) {
        assertThat(Checks.ceilMillis(Duration.ofMillis(millis))).isEqualTo(millis);
        assertThat(Checks.ceilMillis(Instant.ofEpochMilli(millis))).isEqualTo(millis);
    }
}

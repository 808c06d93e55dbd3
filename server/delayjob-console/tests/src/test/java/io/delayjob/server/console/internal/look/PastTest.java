package io.delayjob.server.console.internal.look;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.redisson.history.Counts;
import io.delayjob.redisson.history.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PastTest {

    private static final Counts NOBODY = Counts.NONE;
    private static final Counts NONE_DUE = Counts.ready(0);
    /** The slots of an hour, which is the least that a day's charts show. */
    private static final int HOUR = 6;

    /** A day of which the last slots are known; what has only begun is not drawn. */
    private static Past day(Counts... last) {
        List<Counts> slots = new ArrayList<>(Collections.nCopies(Span.DAY.slots() - 1 - last.length, NOBODY));
        slots.addAll(List.of(last));
        slots.add(NOBODY);
        Map<Span, List<Counts>> spans = new EnumMap<>(Past.NOTHING.spans());
        spans.put(Span.DAY, slots);
        return new Past(0, spans);
    }

    private static Chart line(Plot plot) {
        return plot.lines().get(0).chart();
    }

    @Test
    void aBacklogOfZeroIsNotTheSameAsOneThatNobodyLookedAt() {
        Plot looked = day(NONE_DUE, NONE_DUE, Counts.ready(8), NONE_DUE).backlog(Span.DAY);
        Plot not = day(NOBODY, NOBODY, Counts.ready(8), NOBODY).backlog(Span.DAY);

        assertThat(looked.unknown()).isEqualTo(HOUR - 4);
        assertThat(line(looked).gaps()).containsOnlyOnce("M");
        assertThat(line(looked).line()).containsOnlyOnce("M").endsWith("L720.0 89.0");
        assertThat(line(not).highest()).isEqualTo(8);
        assertThat(not.unknown()).isEqualTo(HOUR - 1);
        assertThat(line(not).line()).as("a point").endsWith(" 18.6h0");
        assertThat(line(day().backlog(Span.DAY)).line()).isEmpty();
    }

    @Test
    void aLookThatFellIntoTheSlotBesideItsOwnLeavesNoGap() {
        assertThat(day(Counts.ready(3), NOBODY, NONE_DUE).backlog(Span.DAY).unknown())
                .isEqualTo(HOUR - 3);
        assertThat(day(Counts.ready(3), NOBODY, NOBODY, NONE_DUE)
                        .backlog(Span.DAY)
                        .unknown())
                .isEqualTo(HOUR - 2);
    }

    @Test
    void theBacklogOfQueuesTogetherIsKnownWhereOneOfThemIs() {
        Past both = Past.sum(List.of(day(NONE_DUE, NOBODY), day(Counts.ready(2), NONE_DUE)));

        assertThat(both.backlog(Span.DAY).unknown()).isEqualTo(HOUR - 2);
        assertThat(line(both.backlog(Span.DAY)).highest()).isEqualTo(2);
    }

    @Test
    void aQueueIsActiveForADayAfterItsLastAttemptOrDueJob() {
        assertThat(day(NONE_DUE, NONE_DUE).isActive()).isFalse();
        assertThat(day(Counts.ready(1), NONE_DUE).isActive()).isTrue();
        assertThat(day(Counts.of(0, 0, 0, new long[] {1})).isActive()).isTrue();
    }

    @Test
    void chartsGoBackAsFarAsSomethingIsKnown() {
        Counts[] hours = Collections.nCopies(7, NONE_DUE).toArray(Counts[]::new);
        Counts[] many = Collections.nCopies(25, NONE_DUE).toArray(Counts[]::new);

        assertThat(day(NONE_DUE).backlog(Span.DAY).millisAt(0))
                .isEqualTo(-Duration.ofHours(1).toMillis());
        assertThat(day(hours).backlog(Span.DAY).millisAt(0))
                .isEqualTo(-Duration.ofHours(4).toMillis());
        assertThat(day(many).work(Span.DAY).millisAt(0))
                .isEqualTo(-Duration.ofHours(24).toMillis());
        assertThat(day(many).work(Span.DAY).millisAt(2))
                .isEqualTo(-Duration.ofHours(12).toMillis());
        assertThat(Past.NOTHING.work(Span.HOURS).millisAt(0))
                .isEqualTo(-Duration.ofMinutes(15).toMillis());
        assertThat(Past.NOTHING.work(Span.MINUTES).millisAt(0))
                .isEqualTo(-Duration.ofMinutes(5).toMillis());
    }

    @Test
    void theUpperEdgeIsEasyToSayAndNoValueIsAboveIt() {
        assertThat(Plot.Unit.RATE.top(0)).isEqualTo(1);
        assertThat(Plot.Unit.RATE.top(3.2)).isEqualTo(4);
        assertThat(Plot.Unit.JOBS.top(1)).isEqualTo(2);
        assertThat(Plot.Unit.JOBS.top(4_001)).isEqualTo(10_000);
        assertThat(Plot.Unit.MILLIS.top(0.3)).isEqualTo(10);
        assertThat(Plot.Unit.MILLIS.top(1_000)).isEqualTo(1_000);
        assertThat(Plot.Unit.MILLIS.top(10_001)).isEqualTo(20_000);
        assertThat(Plot.Unit.MILLIS.top(86_400_001)).isEqualTo(100_000_000);
    }
}

package io.delayjob.server.console.internal.look;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.redisson.history.Counts;
import io.delayjob.redisson.history.Span;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PastTest {

    private static final Counts NOBODY = Counts.NONE;
    private static final Counts NONE_DUE = Counts.ready(0);

    /** A day of which the last slots are known; what has only begun is not drawn. */
    private static Past day(Counts... last) {
        List<Counts> slots = new ArrayList<>(Collections.nCopies(Span.DAY.slots() - 1 - last.length, NOBODY));
        slots.addAll(List.of(last));
        slots.add(NOBODY);
        Map<Span, List<Counts>> spans = new EnumMap<>(Past.NOTHING.spans());
        spans.put(Span.DAY, slots);
        return new Past(0, spans);
    }

    @Test
    void aBacklogOfZeroIsNotTheSameAsOneThatNobodyLookedAt() {
        Chart looked = day(NONE_DUE, NONE_DUE, Counts.ready(8), NONE_DUE).backlog(Span.DAY);
        Chart not = day(NOBODY, NOBODY, Counts.ready(8), NOBODY).backlog(Span.DAY);

        assertThat(looked.unknown()).isEqualTo(Span.DAY.slots() - 1 - 4);
        assertThat(looked.gaps()).containsOnlyOnce("M");
        assertThat(looked.line()).containsOnlyOnce("M").endsWith("L720.0 89.0");
        assertThat(not.highest()).isEqualTo(8);
        assertThat(not.unknown()).isEqualTo(Span.DAY.slots() - 1 - 1);
        assertThat(not.line()).as("a point").endsWith(" 1.0h0");
        assertThat(day().backlog(Span.DAY).line()).isEmpty();
    }

    @Test
    void aLookThatFellIntoTheSlotBesideItsOwnLeavesNoGap() {
        assertThat(day(Counts.ready(3), NOBODY, NONE_DUE).backlog(Span.DAY).unknown())
                .isEqualTo(Span.DAY.slots() - 1 - 3);
        assertThat(day(Counts.ready(3), NOBODY, NOBODY, NONE_DUE)
                        .backlog(Span.DAY)
                        .unknown())
                .isEqualTo(Span.DAY.slots() - 1 - 2);
    }

    @Test
    void theBacklogOfQueuesTogetherIsKnownWhereOneOfThemIs() {
        Past both = Past.sum(List.of(day(NONE_DUE, NOBODY), day(Counts.ready(2), NONE_DUE)));

        assertThat(both.backlog(Span.DAY).unknown()).isEqualTo(Span.DAY.slots() - 1 - 2);
        assertThat(both.backlog(Span.DAY).highest()).isEqualTo(2);
    }

    @Test
    void aQueueIsActiveForADayAfterItsLastAttemptOrDueJob() {
        assertThat(day(NONE_DUE, NONE_DUE).isActive()).isFalse();
        assertThat(day(Counts.ready(1), NONE_DUE).isActive()).isTrue();
        assertThat(day(Counts.of(0, 0, 0, new long[] {1})).isActive()).isTrue();
    }
}

package io.delayjob.spring.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.QueueCounts;
import io.delayjob.engine.ledger.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TalliesTest {

    private static final Tally TALLY = new Tally(new QueueCounts(1, 2, 3, 4, 5, false), 6);

    private final AtomicLong clock = new AtomicLong();
    private final List<String> asked = new ArrayList<>();
    private CompletableFuture<Tally> answer = CompletableFuture.completedFuture(TALLY);
    private final Tallies tallies = new Tallies(
            List.of("a", "b"),
            queue -> {
                asked.add(queue);
                return answer;
            },
            clock::get);

    @Test
    void asksOnceForAllQueuesAndGaugesOfAScrape() {
        for (int i = 0; i < 10; i++) {
            assertThat(tallies.of("a")).isEqualTo(TALLY);
            assertThat(tallies.of("b")).isEqualTo(TALLY);
        }
        assertThat(asked).containsExactly("a", "b");
        pass(5);
        assertThat(tallies.of("b")).isEqualTo(TALLY);
        assertThat(asked).containsExactly("a", "b", "a", "b");
    }

    @Test
    void keepsWhatWasKnownForAWhileAndThenKnowsNothing() {
        assertThat(tallies.of("a")).isEqualTo(TALLY);
        answer = CompletableFuture.failedFuture(new IllegalStateException("away"));
        pass(30);
        assertThat(tallies.of("a")).isEqualTo(TALLY);
        pass(31);
        assertThat(tallies.of("a")).isNull();
        answer = CompletableFuture.completedFuture(TALLY);
        pass(36);
        assertThat(tallies.of("a")).isEqualTo(TALLY);
    }

    @Test
    void doesNotAskAgainWhileAnAnswerIsAwaited() {
        answer = new CompletableFuture<>();
        assertThat(tallies.of("a")).isNull();
        pass(60);
        assertThat(tallies.of("a")).isNull();
        assertThat(asked).containsExactly("a", "b");
        answer.complete(TALLY);
        assertThat(tallies.of("a")).isEqualTo(TALLY);
    }

    private void pass(long seconds) {
        clock.set(Duration.ofSeconds(seconds).toNanos());
    }
}

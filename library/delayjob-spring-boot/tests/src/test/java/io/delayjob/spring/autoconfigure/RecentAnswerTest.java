package io.delayjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RecentAnswerTest {

    private static final Duration LONG = Duration.ofHours(1);

    private static RecentAnswer<String> recent(List<CompletableFuture<String>> answers) {
        Queue<CompletableFuture<String>> left = new ArrayDeque<>(answers);
        return new RecentAnswer<>(left::remove, LONG);
    }

    @Test
    void anAnswerIsKeptAndAskedForOnce() {
        CompletableFuture<String> underWay = new CompletableFuture<>();
        RecentAnswer<String> recent = recent(List.of(underWay));

        assertThat(recent.get()).isNotDone().isSameAs(recent.get());
        underWay.complete("a");
        assertThat(recent.get()).isCompletedWithValue("a");
        assertThat(recent.isFresh()).isTrue();
    }

    @Test
    void aFailureIsKeptForAMomentOnly() {
        RecentAnswer<String> recent = recent(List.of(
                CompletableFuture.failedFuture(new IllegalStateException("Redis is away")),
                CompletableFuture.completedFuture("a")));

        assertThat(recent.get()).isCompletedExceptionally();
        await().until(() -> !recent.get().isCompletedExceptionally());
        assertThat(recent.get()).isCompletedWithValue("a");
    }
}

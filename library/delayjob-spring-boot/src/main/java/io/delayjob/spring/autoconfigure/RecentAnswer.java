package io.delayjob.spring.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An answer of Redis for those who ask often: it is kept for a while, and Redis is not asked again while one is outstanding. So
 * asking costs next to nothing, least of all while Redis is away. Thread-safe.
 */
final class RecentAnswer<T> {

    /** A failure is shown no longer than this, so that the answer is there again soon after Redis is. */
    private static final Duration FAILURE_KEPT = Duration.ofSeconds(1);

    private final Supplier<CompletableFuture<T>> question;
    private final Duration kept;
    private @Nullable CompletableFuture<T> answer;
    private volatile long answeredNanos;

    /**
     * An answer.
     *
     * @param kept for how long it is the answer, once it is there
     */
    RecentAnswer(Supplier<CompletableFuture<T>> question, Duration kept) {
        this.question = question;
        this.kept = kept;
    }

    /** The answer, on its way or not too old. Not to be completed by its reader. */
    synchronized CompletableFuture<T> get() {
        CompletableFuture<T> last = answer;
        if (last != null && isFresh()) {
            return last;
        }
        CompletableFuture<T> now = question.get().whenComplete((found, failure) -> answeredNanos = System.nanoTime());
        answer = now;
        return now;
    }

    synchronized boolean isFresh() {
        CompletableFuture<T> last = answer;
        return last != null
                && (!last.isDone()
                        || System.nanoTime() - answeredNanos < lasts(last).toNanos());
    }

    private Duration lasts(CompletableFuture<T> last) {
        return last.isCompletedExceptionally() && kept.compareTo(FAILURE_KEPT) > 0 ? FAILURE_KEPT : kept;
    }
}

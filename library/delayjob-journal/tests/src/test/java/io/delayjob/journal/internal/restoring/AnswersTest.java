package io.delayjob.journal.internal.restoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AnswersTest {

    private final AtomicInteger calls = new AtomicInteger();

    private CompletableFuture<String> failOnce(LedgerException failure) {
        return calls.incrementAndGet() == 1
                ? CompletableFuture.failedFuture(failure)
                : CompletableFuture.completedFuture("answer");
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"SHUT_DOWN", "REFUSED", "GARBLED"})
    void failsAtOnceWhereARepeatWouldFailToo(Kind kind) {
        LedgerException failure = new LedgerException(kind, "no", null);
        assertThatThrownBy(() -> Answers.repeated(() -> failOnce(failure))).isSameAs(failure);
        assertThat(calls).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"NOT_RUN", "UNKNOWN", "NOT_REPLICATED"})
    void repeatsWhatMaySucceed(Kind kind) {
        assertThat(Answers.repeated(() -> failOnce(new LedgerException(kind, "no", null))))
                .isEqualTo("answer");
        assertThat(calls).hasValue(2);
    }

    @Test
    void repeatsWhileTheFlowLogIsFull() {
        String message = "refused: FLOWFULL " + Flow.full(5, 5);
        assertThat(Answers.repeated(() -> failOnce(new LedgerException(Kind.REFUSED, message, null))))
                .isEqualTo("answer");
    }

    @Test
    void doesNotWaitForEver() {
        assertThatThrownBy(() -> Answers.of(new CompletableFuture<String>(), Duration.ofMillis(1)))
                .isInstanceOfSatisfying(
                        LedgerException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNKNOWN))
                .hasMessageContaining("Redis has not answered");
    }
}

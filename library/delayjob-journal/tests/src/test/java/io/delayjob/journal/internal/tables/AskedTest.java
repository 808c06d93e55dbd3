package io.delayjob.journal.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;

class AskedTest {

    private final AtomicInteger asked = new AtomicInteger();

    private String ask(int failures, DataAccessException failure) {
        return Asked.of("orders", () -> {
            if (asked.incrementAndGet() <= failures) {
                throw failure;
            }
            return "answer";
        });
    }

    @Test
    void asksAgainAfterADeadlock() {
        assertThat(ask(2, new CannotAcquireLockException("deadlock"))).isEqualTo("answer");
        assertThat(asked).hasValue(3);
    }

    @Test
    void aDatabaseThatOnlyMeetsDeadlocksFailsTheCall() {
        assertThatThrownBy(() -> ask(100, new CannotAcquireLockException("deadlock")))
                .isInstanceOf(DelayJobException.class)
                .hasMessageContaining("'orders' could not be asked: deadlock");
        assertThat(asked).hasValue(5);
    }

    @Test
    void anyOtherFailureIsTheCallersAtOnce() {
        assertThatThrownBy(() -> ask(1, new DataAccessResourceFailureException("gone")))
                .isInstanceOf(DelayJobException.class);
        assertThat(asked).hasValue(1);
    }
}

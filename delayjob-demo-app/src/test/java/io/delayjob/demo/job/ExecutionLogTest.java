package io.delayjob.demo.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ExecutionLogTest {

    private final ExecutionLog log = new ExecutionLog();

    @Test
    void listsTheNewestFirst() {
        log.begin(attempt("a"));
        log.begin(attempt("b"));

        assertThat(log.latest(10)).extracting(Attempt::id).containsExactly("b", "a");
        assertThat(log.latest(1)).extracting(Attempt::id).containsExactly("b");
    }

    @Test
    void notesHowAnAttemptEnded() {
        long first = log.begin(attempt("a"));
        log.begin(attempt("a"));

        log.end(first, Outcome.FAILED);

        assertThat(log.latest(2)).extracting(Attempt::outcome).containsExactly(Outcome.RUNNING, Outcome.FAILED);
    }

    @Test
    void knowsAJobAsCompletedOnlyWhenAnAttemptWas() {
        log.end(log.begin(attempt("a")), Outcome.FAILED);
        assertThat(log.completed("a")).isEmpty();

        log.end(log.begin(attempt("a")), Outcome.COMPLETED);
        assertThat(log.completed("a")).isPresent();
    }

    @Test
    void forgetsTheOldestWhenItIsFull() {
        long oldest = log.begin(attempt("oldest"));
        for (int i = 0; i < ExecutionLog.CAPACITY; i++) {
            log.begin(attempt("later"));
        }

        log.end(oldest, Outcome.COMPLETED);

        List<Attempt> all = log.latest(Integer.MAX_VALUE);
        assertThat(all).hasSize(ExecutionLog.CAPACITY).extracting(Attempt::id).containsOnly("later");
    }

    private static Attempt attempt(String id) {
        return new Attempt(id, null, null, 1, Instant.EPOCH, Instant.EPOCH, 0, Outcome.RUNNING);
    }
}

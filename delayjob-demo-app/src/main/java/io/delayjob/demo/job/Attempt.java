package io.delayjob.demo.job;

import io.delayjob.JobExecution;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * One attempt that was begun in this process.
 *
 * @param id the job's id
 * @param name the name in the job's param
 * @param age the age in the job's param
 * @param attempt which try at the job this was, from 1
 * @param dueAt when the attempt was due, by Redis' clock
 * @param startedAt when it began, by this process' clock
 * @param latenessMillis from due to start; off by the difference of the two clocks, none if Redis is on this machine
 * @param outcome how it ended
 */
public record Attempt(
        String id,
        @Nullable String name,
        @Nullable Integer age,
        int attempt,
        Instant dueAt,
        Instant startedAt,
        long latenessMillis,
        Outcome outcome) {

    static Attempt begunNow(JobExecution<ParamDTO> execution) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        ParamDTO param = execution.param();
        return new Attempt(
                execution.id(),
                param.name(),
                param.age(),
                execution.attempt(),
                execution.dueAt(),
                now,
                Duration.between(execution.dueAt(), now).toMillis(),
                Outcome.RUNNING);
    }

    Attempt ended(Outcome how) {
        return new Attempt(id, name, age, attempt, dueAt, startedAt, latenessMillis, how);
    }
}

package io.delayjob.redisson.internal.engine;

import io.delayjob.DelayJob;
import io.delayjob.JobExecution;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A job that notes its executions and then does what a test wants. */
final class NoteJob implements DelayJob<Note> {

    /** What a test lets a job do. */
    interface Work {
        void execute(JobExecution<Note> execution) throws Exception;
    }

    /** One execution. */
    record Seen(String id, int attempt, Note param, Instant dueAt, long latenessMillis) {}

    private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();
    private final Work work;

    NoteJob() {
        this(execution -> {});
    }

    NoteJob(Work work) {
        this.work = work;
    }

    @Override
    public void execute(JobExecution<Note> execution) throws Exception {
        long lateness = System.currentTimeMillis() - execution.dueAt().toEpochMilli();
        seen.add(new Seen(execution.id(), execution.attempt(), execution.param(), execution.dueAt(), lateness));
        work.execute(execution);
    }

    List<Seen> seen() {
        return List.copyOf(seen);
    }

    /** How late half of the executions were at most: what one hiccup of the machine does not change. */
    long medianLatenessMillis() {
        return seen.stream()
                .mapToLong(Seen::latenessMillis)
                .sorted()
                .skip((seen.size() - 1) / 2)
                .findFirst()
                .orElseThrow();
    }

    List<String> ids() {
        return seen.stream().map(Seen::id).toList();
    }
}

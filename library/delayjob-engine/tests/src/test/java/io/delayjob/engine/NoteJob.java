package io.delayjob.engine;

import io.delayjob.DelayJob;
import io.delayjob.JobExecution;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A job that notes its executions and then does what a test wants. */
public final class NoteJob implements DelayJob<Note> {

    /** The work of a job, set by the test. */
    public interface Work {
        void execute(JobExecution<Note> execution) throws Exception;
    }

    /** One execution. */
    public record Seen(String id, int attempt, Note param, Instant dueAt, long latenessMillis) {}

    private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();
    private final Work work;

    public NoteJob() {
        this(execution -> {});
    }

    public NoteJob(Work work) {
        this.work = work;
    }

    @Override
    public void execute(JobExecution<Note> execution) throws Exception {
        long lateness = System.currentTimeMillis() - execution.dueAt().toEpochMilli();
        seen.add(new Seen(execution.id(), execution.attempt(), execution.param(), execution.dueAt(), lateness));
        work.execute(execution);
    }

    public List<Seen> seen() {
        return List.copyOf(seen);
    }

    /** How late half of the executions were at most: what one hiccup of the machine does not change. */
    public long medianLatenessMillis() {
        return seen.stream()
                .mapToLong(Seen::latenessMillis)
                .sorted()
                .skip((seen.size() - 1) / 2)
                .findFirst()
                .orElseThrow();
    }

    public List<String> ids() {
        return seen.stream().map(Seen::id).toList();
    }
}

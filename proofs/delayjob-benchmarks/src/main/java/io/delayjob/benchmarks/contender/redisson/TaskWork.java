package io.delayjob.benchmarks.contender.redisson;

import io.delayjob.benchmarks.contender.Work;
import org.jspecify.annotations.Nullable;

/** Where tasks find the work of this process. */
public final class TaskWork {

    private static volatile @Nullable Work work;

    private TaskWork() {}

    static void set(Work ofThisProcess) {
        work = ofThisProcess;
    }

    /** Does the work for a task. */
    public static void run(String id, long dueMillis, String payload) {
        Work current = work;
        if (current == null || payload.isEmpty()) {
            throw new IllegalStateException("nothing to do for " + id);
        }
        try {
            current.run(id, dueMillis, 1);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}

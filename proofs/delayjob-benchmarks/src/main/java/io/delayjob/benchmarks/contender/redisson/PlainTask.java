package io.delayjob.benchmarks.contender.redisson;

import java.io.Serial;
import java.io.Serializable;

/** Task that the executor runs. Redisson loads it by a class loader of its own, hence all that it uses is public. */
public final class PlainTask implements Runnable, Serializable {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String id;
    private final long dueMillis;
    private final String payload;

    /** The task of a job. */
    public PlainTask(String id, long dueMillis, String payload) {
        this.id = id;
        this.dueMillis = dueMillis;
        this.payload = payload;
    }

    @Override
    public void run() {
        TaskWork.run(id, dueMillis, payload);
    }
}

package io.delayjob.benchmarks.contender;

import java.util.Arrays;

/** All that is measured. */
public enum ContenderName {
    /** This project. */
    DELAYJOB("delayjob", StoreKind.REDIS),
    /** A bare {@code RDelayedQueue} in front of an {@code RBlockingQueue}, and one taker. */
    DELAYED_QUEUE("delayed-queue", StoreKind.REDIS),
    /** Redisson's {@code RScheduledExecutorService}. */
    SCHEDULED_EXECUTOR("scheduled-executor", StoreKind.REDIS),
    /** Rqueue. */
    RQUEUE("rqueue", StoreKind.REDIS),
    /** db-scheduler. */
    DB_SCHEDULER("db-scheduler", StoreKind.POSTGRESQL),
    /** JobRunr. */
    JOBRUNR("jobrunr", StoreKind.POSTGRESQL),
    /** BullMQ, a program of Node.js. */
    BULLMQ("bullmq", StoreKind.REDIS);

    /** Kind of store that a contender keeps its jobs in. */
    public enum StoreKind {
        /** A Redis. */
        REDIS,
        /** A PostgreSQL. */
        POSTGRESQL
    }

    private final String text;
    private final StoreKind storeKind;

    ContenderName(String text, StoreKind storeKind) {
        this.text = text;
        this.storeKind = storeKind;
    }

    /** The contender of that name. */
    public static ContenderName of(String text) {
        return Arrays.stream(values())
                .filter(name -> name.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such contender: " + text));
    }

    /** Whether it is delayjob, the queue that it grew out of, or the fastest of the others. Long workloads are for these. */
    public boolean isNearest() {
        return this == DELAYJOB || this == DELAYED_QUEUE || this == BULLMQ;
    }

    /** Whether a burst of the usual size takes it far longer than one may, so that it gets a smaller one. */
    public boolean isSlow() {
        return this == SCHEDULED_EXECUTOR || this == RQUEUE || this == JOBRUNR;
    }

    /** Kind of store that it keeps its jobs in. */
    public StoreKind storeKind() {
        return storeKind;
    }

    /** The name in commands and on the page. */
    @Override
    public String toString() {
        return text;
    }
}

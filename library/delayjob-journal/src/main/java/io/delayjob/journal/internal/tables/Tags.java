package io.delayjob.journal.internal.tables;

import java.util.concurrent.ThreadLocalRandom;

/** Makes tags, which tell the submits of an id from each other. */
public final class Tags {

    /** Redis' scripts take numbers of at most 15 digits. */
    private static final long END = 1_000_000_000_000_000L;

    private Tags() {}

    /** A tag that no other submit of the same id has. */
    public static long next() {
        return ThreadLocalRandom.current().nextLong(1, END);
    }
}

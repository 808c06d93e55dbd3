package io.delayjob.benchmarks.driver;

import io.delayjob.benchmarks.contender.ContenderName.StoreKind;
import io.delayjob.benchmarks.contender.Store;

/** A server that belongs to one run. */
public interface RunningStore extends AutoCloseable {

    /** Where it is. */
    Store store();

    /** Reads what it has done so far. */
    Meter meter();

    @Override
    void close();

    /** Starts an empty server with default settings; a Redis keeps an append-only file, see {@link RedisStore#PERSISTENCE}. */
    static RunningStore start(StoreKind kind) {
        return switch (kind) {
            case REDIS -> RedisStore.single();
            case POSTGRESQL -> PostgresStore.start();
        };
    }
}

package io.delayjob.engine.ledger;

import io.delayjob.engine.ledger.Backend.Notice;
import java.util.function.Consumer;

/** A shard of its own for a test, and the clock of its ledger, whatever it is kept in. */
public interface TestedLedger extends AutoCloseable {

    /** Which shard. */
    ShardId id();

    /** The backend that opens the shard's ledger. */
    Backend backend();

    /** The shard's ledger. */
    default Ledger ledger(Retention retention) {
        return backend().ledger(id(), retention, Replication.NONE);
    }

    /** Sets the ledger's clock. */
    void setClock(long millis);

    /** Ends what the ledger keeps by a clock that the test does not set: the time for which its flow log is kept going. */
    default void forgetFlow() {}

    /** Hears what nodes are told; returns when it does. */
    default Backend.Subscription onNotice(Consumer<Notice> listener) {
        return backend().onNotice(listener);
    }

    /** Removes the shard. */
    @Override
    default void close() {}
}

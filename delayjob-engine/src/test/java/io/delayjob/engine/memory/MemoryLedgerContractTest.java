package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Backend.Notice;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerContract;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The ledger in memory keeps every promise. */
class MemoryLedgerContractTest extends LedgerContract {

    private final AtomicLong clock = new AtomicLong();
    private final MemoryBackend backend = new MemoryBackend(clock::get);

    @Override
    protected Ledger open(Retention retention) {
        return backend.ledger(shard(), retention, Replication.NONE);
    }

    @Override
    protected void setClock(long millis) {
        clock.set(millis);
    }

    @Override
    protected Backend.Subscription onNotice(Consumer<Notice> listener) {
        return backend.onNotice(listener);
    }

    @Override
    protected ShardId shard() {
        return new ShardId("q", 0);
    }
}

package io.delayjob.redisson.internal.memory;

import io.delayjob.redisson.internal.ledger.Backend;
import io.delayjob.redisson.internal.ledger.Backend.Notice;
import io.delayjob.redisson.internal.ledger.Ledger;
import io.delayjob.redisson.internal.ledger.LedgerContract;
import io.delayjob.redisson.internal.ledger.Replication;
import io.delayjob.redisson.internal.ledger.Retention;
import io.delayjob.redisson.internal.ledger.ShardId;
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

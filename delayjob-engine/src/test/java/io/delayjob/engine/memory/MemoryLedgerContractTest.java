package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Backend.Notice;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerContract;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.TestedLedger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The ledger in memory keeps every promise. */
class MemoryLedgerContractTest extends LedgerContract {

    private final TestedLedger shard = new InMemory();

    @Override
    protected TestedLedger underTest() {
        return shard;
    }

    private static final class InMemory implements TestedLedger {

        private final AtomicLong clock = new AtomicLong();
        private final MemoryBackend backend = new MemoryBackend(clock::get);

        @Override
        public ShardId id() {
            return new ShardId("q", 0);
        }

        @Override
        public Ledger ledger(Retention retention) {
            return backend.ledger(id(), retention, Replication.NONE);
        }

        @Override
        public void setClock(long millis) {
            clock.set(millis);
        }

        @Override
        public Backend.Subscription onNotice(Consumer<Notice> listener) {
            return backend.onNotice(listener);
        }
    }
}

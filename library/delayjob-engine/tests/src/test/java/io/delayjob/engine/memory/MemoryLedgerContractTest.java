package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.LedgerContract;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.TestedLedger;
import java.util.concurrent.atomic.AtomicLong;

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
        public Backend backend() {
            return backend;
        }

        @Override
        public void setClock(long millis) {
            clock.set(millis);
        }
    }
}

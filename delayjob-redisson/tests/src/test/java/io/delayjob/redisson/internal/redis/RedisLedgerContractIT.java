package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.LedgerContract;
import io.delayjob.engine.ledger.TestedLedger;

/** The ledger in Redis keeps every promise. */
class RedisLedgerContractIT extends LedgerContract {

    private final TestShard shard = new TestShard();

    @Override
    protected TestedLedger underTest() {
        return shard;
    }
}

package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.LedgerFixture;
import io.delayjob.engine.ledger.TestedLedger;

/** A shard in Redis whose keys a test may also write itself. */
abstract class RedisFixture extends LedgerFixture {

    final TestShard shard = new TestShard();
    final RawRedis raw = new RawRedis(shard.redisson());

    @Override
    protected TestedLedger underTest() {
        return shard;
    }
}

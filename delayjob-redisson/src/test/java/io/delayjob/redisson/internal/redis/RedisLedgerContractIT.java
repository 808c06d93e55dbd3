package io.delayjob.redisson.internal.redis;

/** The ledger in Redis keeps every promise. */
class RedisLedgerContractIT extends RedisContract {

    RedisLedgerContractIT() {
        super(new TestShard());
    }
}

package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Backend.Notice;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerContract;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/** What the ledger promises, of a shard in Redis. */
abstract class RedisContract extends LedgerContract {

    private final TestShard shard;

    RedisContract(TestShard shard) {
        this.shard = shard;
    }

    @AfterEach
    void close() {
        shard.close();
    }

    @Override
    protected Ledger open(Retention retention) {
        return shard.ledger(retention);
    }

    @Override
    protected void setClock(long millis) {
        shard.setClock(millis);
    }

    @Override
    protected Backend.Subscription onNotice(Consumer<Notice> listener) {
        return shard.onNotice(listener);
    }

    @Override
    protected ShardId shard() {
        return shard.keys.shard();
    }
}

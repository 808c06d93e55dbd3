package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Backend.Notice;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerFixture;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/** A shard in Redis whose keys a test may also write itself. */
abstract class RedisFixture extends LedgerFixture {

    final TestShard shard = new TestShard();
    final RawRedis raw = new RawRedis(shard.redisson());

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

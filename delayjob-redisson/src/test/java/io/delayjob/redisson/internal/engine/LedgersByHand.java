package io.delayjob.redisson.internal.engine;

import io.delayjob.redisson.internal.ledger.Backend;
import io.delayjob.redisson.internal.ledger.Doorbell;
import io.delayjob.redisson.internal.ledger.Ledger;
import io.delayjob.redisson.internal.ledger.Replication;
import io.delayjob.redisson.internal.ledger.Retention;
import io.delayjob.redisson.internal.ledger.Rings;
import io.delayjob.redisson.internal.ledger.ShardId;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Ledgers whose calls a test answers. */
final class LedgersByHand implements Backend {

    private final InvocationHandler calls;

    LedgersByHand(InvocationHandler calls) {
        this.calls = calls;
    }

    @Override
    public Ledger ledger(ShardId shard, Retention retention, Replication replication) {
        return (Ledger) Proxy.newProxyInstance(Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, calls);
    }

    @Override
    public Doorbell doorbell(ShardId shard) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Rings rings() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Boolean> enlist(List<String> queues) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Set<String>> queues() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Subscription onNotice(Consumer<Notice> listener) {
        throw new UnsupportedOperationException();
    }
}

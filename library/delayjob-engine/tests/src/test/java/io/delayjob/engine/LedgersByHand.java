package io.delayjob.engine;

import io.delayjob.engine.ledger.Attempt;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Rings;
import io.delayjob.engine.ledger.ScheduleNames;
import io.delayjob.engine.ledger.ShardId;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Ledgers whose calls a test answers. */
public final class LedgersByHand implements Backend {

    private final InvocationHandler calls;

    public LedgersByHand(InvocationHandler calls) {
        this.calls = calls;
    }

    /** A job in its first attempt, as a claim hands it out. */
    public static Claimed.Job handedOut(String id) {
        return handedOut(new Lease(id, "1:r"), 1);
    }

    /** A job as a claim hands it out. */
    public static Claimed.Job handedOut(Lease lease, int attempt) {
        return new Claimed.Job(lease, "{}", new Attempt(attempt, 0L, 0L, null), null, 0, false, false, 0);
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
    public ScheduleNames scheduleNames() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Subscription onNotice(Consumer<Notice> listener) {
        throw new UnsupportedOperationException();
    }
}

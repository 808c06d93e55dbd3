package io.delayjob.test;

import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Rings;
import io.delayjob.engine.ledger.ScheduleNames;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.memory.MemoryBackend;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Queues in memory that can be emptied. The engine keeps the ledgers that it opened, so each of them delegates to the current
 * backend.
 */
final class MemoryQueues implements Backend {

    private final VirtualTime time;
    private volatile MemoryBackend current;

    MemoryQueues(VirtualTime time) {
        this.time = time;
        this.current = new MemoryBackend(time::millis, true);
    }

    /** Forgets every job and every pause. */
    void empty() {
        current = new MemoryBackend(time::millis, true);
    }

    @Override
    public Ledger ledger(ShardId shard, Retention retention, Replication replication) {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(current.ledger(shard, retention, replication), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    @Override
    public Doorbell doorbell(ShardId shard) {
        return current.doorbell(shard);
    }

    @Override
    public CompletableFuture<Boolean> enlist(List<String> queues) {
        return current.enlist(queues);
    }

    @Override
    public CompletableFuture<Set<String>> queues() {
        return current.queues();
    }

    @Override
    public Rings rings() {
        return current.rings();
    }

    @Override
    public ScheduleNames scheduleNames() {
        return current.scheduleNames();
    }

    @Override
    public Subscription onNotice(Consumer<Notice> listener) {
        return current.onNotice(listener);
    }
}

package io.delayjob.redisson.internal.redis;

import io.delayjob.redisson.internal.ledger.Backend;
import io.delayjob.redisson.internal.ledger.Backend.Cancellation;
import io.delayjob.redisson.internal.ledger.Lease;
import io.delayjob.redisson.internal.ledger.ShardId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.api.listener.MessageListener;

/**
 * Hears what cancel.lua publishes: {@code queue:shard token id}.
 *
 * <p>No promise rests on it. Redis hands a message to those who listen at that moment and forgets it, so a node that is
 * reconnecting, or may not use the channel, hears nothing. What ends a cancelled run is that its token no longer holds: the next
 * renewal is refused. The message makes that sooner.
 */
final class CancelledTopic implements Backend.Subscription {

    private static final Executor LATER = CompletableFuture.delayedExecutor(5, TimeUnit.SECONDS);

    private final RedissonClient redisson;
    private final RTopic topic;
    private final MessageListener<String> listener;
    private volatile boolean closed;

    CancelledTopic(RedissonClient redisson, RTopic topic, Consumer<Cancellation> listener) {
        this.redisson = redisson;
        this.topic = topic;
        this.listener = (channel, message) -> parse(message).ifPresent(listener);
    }

    /** Begins to listen, now or when Redis can be reached; once it does, Redisson listens anew after each reconnect. */
    CancelledTopic listen() {
        // On a thread of its own: a client that connects lazily does so here, and waits and throws if it cannot.
        CompletableFuture.runAsync(this::subscribe);
        return this;
    }

    private void subscribe() {
        if (closed || redisson.isShuttingDown()) {
            return;
        }
        try {
            topic.addListenerAsync(String.class, listener).whenComplete((id, failure) -> subscribed(failure == null));
        } catch (RuntimeException e) {
            subscribed(false);
        }
    }

    private void subscribed(boolean listens) {
        if (!listens) {
            LATER.execute(this::subscribe);
        } else if (closed) {
            close();
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            topic.removeListenerAsync(listener);
        } catch (RuntimeException e) {
            // The client is shut down, or never was connected: nobody listens.
        }
    }

    /** Anyone may publish on the channel: what is no message of ours is passed over. */
    static Optional<Cancellation> parse(String message) {
        String[] parts = message.split(" ", 3);
        int colon = parts[0].lastIndexOf(':');
        if (parts.length != 3 || colon < 1 || parts[2].isEmpty()) {
            return Optional.empty();
        }
        try {
            int number = Integer.parseInt(parts[0].substring(colon + 1));
            ShardId shard = new ShardId(parts[0].substring(0, colon), number);
            return Optional.of(new Cancellation(shard, new Lease(parts[2], parts[1])));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}

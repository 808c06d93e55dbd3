package io.delayjob.redisson.internal.redis;

import io.delayjob.redisson.internal.ledger.Backend;
import io.delayjob.redisson.internal.ledger.Backend.Cancellation;
import io.delayjob.redisson.internal.ledger.Lease;
import io.delayjob.redisson.internal.ledger.ShardId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.api.listener.MessageListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears what cancel.lua publishes: {@code queue:shard token id}.
 *
 * <p>No promise rests on it. Redis hands a message to those who listen at that moment and forgets it, so a node that is
 * reconnecting, or may not use the channel, hears nothing. What ends a cancelled run is that its token no longer holds: the next
 * renewal is refused. The message makes that sooner. While listening fails it is tried again, and the log says so.
 */
final class CancelledTopic implements Backend.Subscription {

    private static final Logger log = LoggerFactory.getLogger(CancelledTopic.class);
    private static final Executor LATER =
            CompletableFuture.delayedExecutor(5, TimeUnit.SECONDS, CancelledTopic::onOwnThread);

    private final RedissonClient redisson;
    private final RTopic topic;
    private final MessageListener<String> listener;
    private volatile boolean closed;
    private volatile boolean refused;

    CancelledTopic(RedissonClient redisson, RTopic topic, Consumer<Cancellation> listener) {
        this.redisson = redisson;
        this.topic = topic;
        this.listener = (channel, message) -> parse(message).ifPresent(listener);
    }

    /** Begins to listen, now or when Redis can be reached; once it does, Redisson listens anew after each reconnect. */
    CancelledTopic listen() {
        onOwnThread(this::subscribe);
        return this;
    }

    /** A client that connects lazily does so when it subscribes, and waits if it cannot: the common pool is not to wait with it. */
    private static void onOwnThread(Runnable work) {
        Thread thread = new Thread(work, "delayjob-cancelled");
        thread.setDaemon(true);
        thread.start();
    }

    private void subscribe() {
        if (closed || redisson.isShuttingDown()) {
            return;
        }
        try {
            topic.addListenerAsync(String.class, listener).whenComplete((id, failure) -> subscribed(failure));
        } catch (RuntimeException e) {
            subscribed(e);
        }
    }

    private void subscribed(@Nullable Throwable failure) {
        if (failure != null) {
            warnOnce(failure);
            LATER.execute(this::subscribe);
        } else if (closed) {
            close();
        } else if (refused) {
            refused = false;
            log.info("cancels of running jobs are heard of again on channel {}", channel());
        }
    }

    /** Once per row of failures. Redisson tells a refusal of Redis as a timeout. */
    private void warnOnce(Throwable failure) {
        if (refused || closed || redisson.isShuttingDown()) {
            return;
        }
        refused = true;
        log.warn(
                "cancels of running jobs cannot be heard of on channel {} and are noticed at the next renewal of the lease; tries"
                        + " again until it succeeds, and if Redis can be reached, its ACL may forbid the channel: {}",
                channel(),
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause().toString()
                        : failure.toString());
    }

    private String channel() {
        return topic.getChannelNames().get(0);
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

package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Backend.Cancellation;
import io.delayjob.engine.ledger.Backend.Notice;
import io.delayjob.engine.ledger.Backend.PassedOn;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.ShardId;
import java.util.List;
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
 * Listens for the notices that scripts publish: {@code queue:shard token id} for a running job that was cancelled, and {@code
 * queue:shard} followed by names, one per line, for jobs that were passed on.
 *
 * <p>Nothing depends on these notices. Redis sends a message only to current subscribers, so a node that is reconnecting, or may
 * not use the channel, misses it. A cancelled run ends in any case at its next renewal, which is refused because its token no
 * longer holds, and a job that was passed on is found by an alarm. Notices only make both faster. If listening fails, it is logged
 * and tried again.
 */
final class NoticeTopic implements Backend.Subscription {

    private static final Logger log = LoggerFactory.getLogger(NoticeTopic.class);
    private static final Executor LATER =
            CompletableFuture.delayedExecutor(5, TimeUnit.SECONDS, NoticeTopic::onOwnThread);

    private final RedissonClient redisson;
    private final RTopic topic;
    private final MessageListener<String> listener;
    private volatile boolean listens;
    private volatile boolean closed;
    private volatile boolean refused;

    NoticeTopic(RedissonClient redisson, RTopic topic, Consumer<Notice> listener) {
        this.redisson = redisson;
        this.topic = topic;
        this.listener = (channel, message) -> parse(message).ifPresent(listener);
    }

    /** Starts to listen, now or when Redis can be reached; from then on, Redisson subscribes again after each reconnect. */
    NoticeTopic listen() {
        onOwnThread(this::subscribe);
        return this;
    }

    /**
     * Uses a thread of its own: a client that connects lazily connects when it subscribes, and would block the common pool while it
     * cannot.
     */
    private static void onOwnThread(Runnable work) {
        Thread thread = new Thread(work, "delayjob-notices");
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
            return;
        }
        listens = true;
        if (closed) {
            close();
        } else if (refused) {
            refused = false;
            log.info("listening again for notices of other nodes on channel {}", channel());
        }
    }

    /** Warns once per series of failures. Redisson reports a refusal by Redis as a timeout. */
    private void warnOnce(Throwable failure) {
        if (refused || closed || redisson.isShuttingDown()) {
            return;
        }
        refused = true;
        log.warn(
                "cannot listen for notices of other nodes on channel {}: a cancel interrupts a running job only at the next renewal"
                        + " of its lease, and jobs that are passed on to this node may run some seconds late. It is tried again"
                        + " until it succeeds; if Redis can be reached, its ACL may forbid the channel: {}",
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
        if (!listens) {
            // Closed before it listened: there is nothing to unsubscribe, and a lazy client would connect for it.
            return;
        }
        try {
            topic.removeListenerAsync(listener);
        } catch (RuntimeException e) {
            // The client is shut down, which ends the subscription.
        }
    }

    /** Parses a notice; empty for anything else, because anyone may publish on the channel. */
    static Optional<Notice> parse(String message) {
        String[] lines = message.split("\n", -1);
        String[] parts = message.split(" ", 3);
        if (lines.length > 1) {
            return shard(lines[0])
                    .map(shard -> new PassedOn(shard, List.of(lines).subList(1, lines.length)));
        } else if (parts.length == 3 && !parts[2].isEmpty()) {
            return shard(parts[0]).map(shard -> new Cancellation(shard, new Lease(parts[2], parts[1])));
        }
        return Optional.empty();
    }

    private static Optional<ShardId> shard(String text) {
        int colon = text.lastIndexOf(':');
        try {
            return colon < 1
                    ? Optional.empty()
                    : Optional.of(new ShardId(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1))));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}

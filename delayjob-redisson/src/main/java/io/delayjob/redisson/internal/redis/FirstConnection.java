package io.delayjob.redisson.internal.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisConnectionException;

/**
 * Makes the first connection of a client that connects lazily. Such a client connects on the thread of the first caller, and all
 * other callers wait too, for tens of seconds if Redis cannot be reached. Here it connects on a thread of its own, and a call waits
 * for at most one second; after that it fails and is not sent. Thread-safe.
 */
final class FirstConnection {

    private static final Executor PATIENCE =
            CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, FirstConnection::onOwnThread);

    private final RedissonClient redisson;
    private volatile boolean made;
    private boolean connecting;
    private CompletableFuture<Void> attempt = new CompletableFuture<>();

    FirstConnection(RedissonClient redisson) {
        this.redisson = redisson;
        this.made = !redisson.getConfig().isLazyInitialization();
    }

    /** Whether the connection is made, so that calls no longer wait for it. */
    boolean isMade() {
        return made;
    }

    /** Completes when the connection is made; fails if that takes longer than a call may wait. */
    synchronized CompletableFuture<Void> await() {
        if (!connecting) {
            connecting = true;
            CompletableFuture<Void> waiting = new CompletableFuture<>();
            attempt = waiting;
            onOwnThread(this::connect);
            PATIENCE.execute(() ->
                    waiting.completeExceptionally(new RedisConnectionException("there is no connection to Redis yet")));
        }
        return attempt;
    }

    private void connect() {
        try {
            // Sends no command, because a command under way would delay the client's shutdown.
            var unused = Masters.of(redisson);
            made = true;
            ended().complete(null);
        } catch (RuntimeException e) {
            ended().completeExceptionally(e);
        }
    }

    private synchronized CompletableFuture<Void> ended() {
        connecting = made;
        return attempt;
    }

    private static void onOwnThread(Runnable work) {
        Thread thread = new Thread(work, "delayjob-connect");
        thread.setDaemon(true);
        thread.start();
    }
}

package io.delayjob.server.redis;

import io.delayjob.DelayJobException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RedissonClient;

/**
 * Redis, for calls of the server itself. None blocks: the first call of a client that connects lazily would wait for the connection on its
 * caller's thread, which here is that of many requests, so the engine is asked first, until it has had an answer.
 */
public final class ServerRedis {

    private final RedissonClient client;
    private final String keyPrefix;
    private final Supplier<? extends CompletableFuture<?>> engine;
    private volatile boolean connected;

    /**
     * A Redis.
     *
     * @param keyPrefix the prefix of delayjob's keys
     * @param engine asks Redis for anything, without waiting for a connection on the caller's thread
     */
    public ServerRedis(RedissonClient client, String keyPrefix, Supplier<? extends CompletableFuture<?>> engine) {
        this.client = client;
        this.keyPrefix = keyPrefix;
        this.engine = engine;
    }

    /** {@return the client, whose calls are made by {@link #ask}} */
    public RedissonClient client() {
        return client;
    }

    /** The name of a key of the server. */
    public String key(String name) {
        return keyPrefix + ":server:" + name;
    }

    /** The answer to a call; it fails with a {@link DelayJobException} if Redis does not give one. */
    public <T> CompletableFuture<T> ask(Supplier<? extends CompletionStage<T>> call) {
        return connected
                ? send(call)
                : engine.get().thenCompose(answered -> {
                    connected = true;
                    return send(call);
                });
    }

    private static <T> CompletableFuture<T> send(Supplier<? extends CompletionStage<T>> call) {
        return call.get().toCompletableFuture().handle(ServerRedis::orThrow);
    }

    private static <T> T orThrow(T value, @Nullable Throwable failure) {
        if (failure == null) {
            return value;
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        throw new DelayJobException("Redis did not answer: " + cause.getMessage(), cause);
    }
}

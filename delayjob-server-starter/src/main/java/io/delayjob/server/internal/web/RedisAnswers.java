package io.delayjob.server.internal.web;

import io.delayjob.DelayJobException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Answers of Redis to calls of the server itself. */
public final class RedisAnswers {

    private RedisAnswers() {}

    /** The answer; it fails with a {@link DelayJobException} if Redis does not give one. */
    public static <T> CompletableFuture<T> of(CompletionStage<T> asked) {
        return asked.toCompletableFuture().handle(RedisAnswers::orThrow);
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

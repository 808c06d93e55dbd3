package io.delayjob.redisson.internal.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A way to run scripts that answer a string. */
interface TextScripts {

    /** Runs a script that answers a string; the future fails with a LedgerException. */
    CompletableFuture<String> string(String script, KeyNames keys, List<?> args);

    /** Runs a script, and reads what its string means. */
    default <R> CompletableFuture<R> string(String script, KeyNames keys, List<?> args, Function<String, R> read) {
        return string(script, keys, args).thenApply(answer -> Scripts.read(script, answer, read));
    }
}

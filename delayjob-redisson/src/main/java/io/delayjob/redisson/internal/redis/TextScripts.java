package io.delayjob.redisson.internal.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Runs scripts that answer a string. */
interface TextScripts {

    /** Runs a script that answers a string; the future fails with a LedgerException only. */
    CompletableFuture<String> string(String script, KeyNames keys, List<?> args);

    /** Runs a script and converts its answer. */
    default <R> CompletableFuture<R> string(String script, KeyNames keys, List<?> args, Function<String, R> read) {
        return string(script, keys, args).thenApply(answer -> Scripts.read(script, answer, read));
    }
}

package io.delayjob.redisson.internal.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A way to run scripts that answer a string. */
interface TextScripts {

    /** Runs a script that answers a string; the future fails with a LedgerException. */
    CompletableFuture<String> string(String script, List<String> keys, List<?> args);
}

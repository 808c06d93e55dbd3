package io.delayjob.redisson.internal.redis;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.codec.StringCodec;

/**
 * The one way to Lua. Each call runs once: Redisson's own retries are off, because only the caller knows whether a failed try
 * may have run, and says so to its user.
 */
final class Scripts {

    private final RScript redis;
    private final ScriptSource source;
    private final Map<String, String> loaded = new ConcurrentHashMap<>();

    Scripts(RedissonClient redisson, ScriptSource source) {
        this.redis = redisson.getScript(
                OptionalOptions.defaults().codec(StringCodec.INSTANCE).retryAttempts(0));
        this.source = source;
    }

    /** Runs a script that answers a list; integers come as Long, everything else as String. */
    CompletableFuture<List<Object>> list(String script, List<String> keys, List<?> args) {
        return run(script, RScript.ReturnType.LIST, keys, args);
    }

    /** Runs a script that answers a string. */
    CompletableFuture<String> string(String script, List<String> keys, List<?> args) {
        return run(script, RScript.ReturnType.STRING, keys, args);
    }

    /** Runs a script that answers a number. */
    CompletableFuture<Long> number(String script, List<String> keys, List<?> args) {
        return run(script, RScript.ReturnType.LONG, keys, args);
    }

    private <R> CompletableFuture<R> run(String script, RScript.ReturnType type, List<String> keys, List<?> args) {
        String text = loaded.computeIfAbsent(script, source::load);
        CompletableFuture<R> answer = new CompletableFuture<>();
        try {
            // READ_WRITE goes to the master: a replica's answer may be old, and what is asked here decides something.
            redis.<R>evalAsync(RScript.Mode.READ_WRITE, text, type, List.copyOf(keys), args.toArray())
                    .whenComplete((value, failure) -> {
                        if (failure == null) {
                            answer.complete(value);
                        } else {
                            answer.completeExceptionally(RedisFailures.explain(script, failure));
                        }
                    });
        } catch (RuntimeException e) {
            answer.completeExceptionally(RedisFailures.explain(script, e));
        }
        return answer;
    }
}

package io.delayjob.redisson.internal.redis;

import io.delayjob.redisson.internal.ledger.Edge;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    /* A reply that was lost is noticed by its absence only. The jobs of a lost claim wait for that, and a lease may end for a
     * lost renewal, while both may be repeated at any time: they do not wait for as long as Redisson's timeout is. */
    private static final Set<String> NOT_PATIENT = Set.of(Edge.CLAIM.script(), Edge.RENEW.script());
    private static final Duration NOT_PATIENT_TIMEOUT = Duration.ofSeconds(1);

    private final RScript patient;
    private final RScript notPatient;
    private final ScriptSource source;
    private final Map<String, String> loaded = new ConcurrentHashMap<>();

    Scripts(RedissonClient redisson, ScriptSource source) {
        this.patient = redisson.getScript(options());
        this.notPatient = redisson.getScript(options().timeout(NOT_PATIENT_TIMEOUT));
        this.source = source;
    }

    private static OptionalOptions options() {
        return OptionalOptions.defaults().codec(StringCodec.INSTANCE).retryAttempts(0);
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
        RScript redis = NOT_PATIENT.contains(script) ? notPatient : patient;
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

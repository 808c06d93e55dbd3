package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.LedgerException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * Runs the scripts of one shard. Most shards have neither keys nor limits, and run scripts that know nothing of them. Such a script fails before its first
 * write where there are some; this node then uses those that know keys.
 */
final class ShardScripts implements TextScripts {

    /** The error of a script that does not know keys; see include/know_levels.lua. */
    private static final String HAS_KEYS = "DELAYJOB the shard has keys";

    private final Scripts scripts;
    private final TextScripts submits;
    private volatile boolean knowKeys;

    /**
     * The scripts of a shard.
     *
     * @param submits runs the submit script
     */
    ShardScripts(Scripts scripts, TextScripts submits) {
        this.scripts = scripts;
        this.submits = submits;
    }

    /** From now on uses the scripts that know keys. */
    void knowKeys() {
        knowKeys = true;
    }

    /** Whether it uses the scripts that know keys. */
    boolean knowsKeys() {
        return knowKeys;
    }

    <R> CompletableFuture<R> list(String script, KeyNames keys, List<?> args, Function<List<Object>, R> read) {
        return run(script, name -> scripts.list(name, keys, args, read));
    }

    <R> CompletableFuture<R> listWithFullTimeout(
            String script, KeyNames keys, List<?> args, Function<List<Object>, R> read) {
        return run(script, name -> scripts.listWithFullTimeout(name, keys, args, read));
    }

    CompletableFuture<Long> number(String script, KeyNames keys, List<?> args) {
        return run(script, name -> scripts.number(name, keys, args));
    }

    /** The same with a script that knows keys, whether the shard has some or not. */
    CompletableFuture<Long> numberKnowingKeys(String script, KeyNames keys, List<?> args) {
        return scripts.number(ScriptSource.knowingKeys(script), keys, args);
    }

    /** The same with a script that knows keys, whether the shard has some or not. */
    <R> CompletableFuture<R> listKnowingKeys(
            String script, KeyNames keys, List<?> args, Function<List<Object>, R> read) {
        return scripts.list(ScriptSource.knowingKeys(script), keys, args, read);
    }

    @Override
    public CompletableFuture<String> string(String script, KeyNames keys, List<?> args) {
        return run(script, name -> scripts.string(name, keys, args));
    }

    /** Runs the submit script. */
    TextScripts submits() {
        return (script, keys, args) -> run(script, name -> submits.string(name, keys, args));
    }

    private <A> CompletableFuture<A> run(String script, Function<String, CompletableFuture<A>> call) {
        if (knowKeys) {
            return call.apply(ScriptSource.knowingKeys(script));
        }
        return orKnowingKeys(script, name -> {
            if (!name.equals(script)) {
                knowKeys();
            }
            return call.apply(name);
        });
    }

    /** Runs a script, or the one that knows keys if that says that a shard has some. */
    static <A> CompletableFuture<A> orKnowingKeys(String script, Function<String, CompletableFuture<A>> call) {
        return call.apply(script)
                .exceptionallyCompose(failure -> saysHasKeys(failure)
                        ? call.apply(ScriptSource.knowingKeys(script))
                        : CompletableFuture.failedFuture(failure));
    }

    private static boolean saysHasKeys(Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
        return cause instanceof LedgerException
                && String.valueOf(cause.getMessage()).contains(HAS_KEYS);
    }
}

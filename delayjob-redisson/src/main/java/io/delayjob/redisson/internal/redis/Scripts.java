package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.Edge;
import io.delayjob.engine.ledger.LedgerException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.redisson.api.BatchOptions;
import org.redisson.api.RBatch;
import org.redisson.api.RFuture;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;

/**
 * Runs all scripts. Each call is sent once: Redisson's own retries are off, because only the caller knows what it means that a
 * failed try may have run.
 */
final class Scripts implements TextScripts {

    /*
     * A lost reply is noticed only by a timeout. Until then the jobs of a lost claim wait, and a lost renewal may cost a lease.
     * Both may be repeated at any time, so they have a shorter timeout than Redisson's.
     */
    private static final Set<String> ANSWERED_SOON = Set.of(Edge.CLAIM.script(), Edge.RENEW.script());
    private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(1);

    private final RedissonClient redisson;
    private final String servers;
    private final FirstConnection connection;
    private final RScript withFullTimeout;
    private final RScript withShortTimeout;
    private final ScriptSource source;
    private final Map<String, Script> loaded = new ConcurrentHashMap<>();
    private final Map<String, String> digests = new ConcurrentHashMap<>();

    Scripts(RedissonClient redisson, ScriptSource source) {
        this.redisson = redisson;
        this.servers = Servers.of(redisson.getConfig());
        this.withFullTimeout = redisson.getScript(options());
        this.withShortTimeout = redisson.getScript(options().timeout(SHORT_TIMEOUT));
        this.source = source;
        this.connection = new FirstConnection(redisson);
    }

    private static OptionalOptions options() {
        return OptionalOptions.defaults().codec(PackedArgs.CODEC).retryAttempts(0);
    }

    /** Runs a script that answers a list, whose elements are Long for integers and String for everything else. */
    <R> CompletableFuture<R> list(String script, KeyNames keys, List<?> args, Function<List<Object>, R> read) {
        return this.<List<Object>>run(script, RScript.ReturnType.LIST, keys, args)
                .thenApply(answer -> read(script, answer, read));
    }

    /** The same, with Redisson's full timeout. */
    <R> CompletableFuture<R> listWithFullTimeout(
            String script, KeyNames keys, List<?> args, Function<List<Object>, R> read) {
        return this.<List<Object>>run(withFullTimeout, script, RScript.ReturnType.LIST, keys, args)
                .thenApply(answer -> read(script, answer, read));
    }

    /**
     * Runs a script without arguments for each of some keys, in one batch. It must only read: where Redis has not loaded it yet, it runs once
     * more for each of the keys, alone.
     */
    <R> CompletableFuture<List<R>> lists(String script, List<? extends KeyNames> keys, Function<List<Object>, R> read) {
        return connected(script, () -> together(script, keys, read)).exceptionallyCompose(failure -> {
            if (RedisFailures.thrownBack(failure)) {
                return alone(script, keys, read);
            }
            return CompletableFuture.failedFuture(explain(script, failure));
        });
    }

    private <R> CompletableFuture<List<R>> together(
            String script, List<? extends KeyNames> keys, Function<List<Object>, R> read) {
        RBatch batch = redisson.createBatch(BatchOptions.defaults().retryAttempts(0));
        List<CompletableFuture<List<Object>>> answers = keys.stream()
                .map(its -> this.<List<Object>>add(batch, script, RScript.ReturnType.LIST, its, List.of())
                        .toCompletableFuture())
                .toList();
        return batch.executeAsync()
                .toCompletableFuture()
                .thenApply(done -> answers.stream()
                        .map(answer -> read(script, answer.join(), read))
                        .toList());
    }

    private <R> CompletableFuture<List<R>> alone(
            String script, List<? extends KeyNames> keys, Function<List<Object>, R> read) {
        List<CompletableFuture<R>> answers =
                keys.stream().map(its -> list(script, its, List.of(), read)).toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
    }

    @Override
    public CompletableFuture<String> string(String script, KeyNames keys, List<?> args) {
        return run(script, RScript.ReturnType.STRING, keys, args);
    }

    /** Runs a script that answers a number. */
    CompletableFuture<Long> number(String script, KeyNames keys, List<?> args) {
        return run(script, RScript.ReturnType.LONG, keys, args);
    }

    /**
     * Adds a script that answers a string to a batch, by its digest. The batch fails if Redis has not loaded the script; Redisson
     * would load it once and then always assume that Redis has it.
     */
    RFuture<String> add(RBatch batch, String script, KeyNames keys, List<?> args) {
        return add(batch, script, RScript.ReturnType.STRING, keys, args);
    }

    private <R> RFuture<R> add(RBatch batch, String script, RScript.ReturnType type, KeyNames keys, List<?> args) {
        Script loaded = load(script);
        String digest = digests.computeIfAbsent(script, name -> sha1(loaded.text()));
        return batch.getScript(PackedArgs.CODEC)
                .evalShaAsync(
                        RScript.Mode.READ_WRITE, digest, type, List.copyOf(keys.of(loaded)), new PackedArgs(args));
    }

    private Script load(String script) {
        return loaded.computeIfAbsent(script, source::load);
    }

    /** Explains a failed call of this client. */
    LedgerException explain(String script, Throwable failure) {
        return RedisFailures.explain(script, failure, servers);
    }

    private static String sha1(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-1");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    /** Converts an answer. An answer may come from a memo, into which anything may have been written. */
    static <A, R> R read(String script, A answer, Function<A, R> read) {
        try {
            return read.apply(answer);
        } catch (RuntimeException e) {
            throw new LedgerException(LedgerException.Kind.GARBLED, "Redis gave an invalid answer (" + script + ")", e);
        }
    }

    private <R> CompletableFuture<R> run(String script, RScript.ReturnType type, KeyNames keys, List<?> args) {
        return run(
                ANSWERED_SOON.contains(ScriptSource.plain(script)) ? withShortTimeout : withFullTimeout,
                script,
                type,
                keys,
                args);
    }

    private <R> CompletableFuture<R> run(
            RScript redis, String script, RScript.ReturnType type, KeyNames keys, List<?> args) {
        return connected(script, () -> send(redis, script, type, keys, args));
    }

    /** Makes a call once there is a connection; fails without making it if none comes in time. */
    <R> CompletableFuture<R> connected(String script, Supplier<CompletableFuture<R>> call) {
        if (connection.isMade()) {
            return call.get();
        }
        return connection
                .await()
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(explain(script, failure)))
                .thenCompose(made -> call.get());
    }

    private <R> CompletableFuture<R> send(
            RScript redis, String script, RScript.ReturnType type, KeyNames keys, List<?> args) {
        Script loaded = load(script);
        CompletableFuture<R> answer = new CompletableFuture<>();
        try {
            // READ_WRITE goes to the master, because a replica's answer may be out of date.
            redis.<R>evalAsync(
                            RScript.Mode.READ_WRITE,
                            loaded.text(),
                            type,
                            List.copyOf(keys.of(loaded)),
                            new PackedArgs(args))
                    .whenComplete((value, failure) -> {
                        if (failure == null) {
                            answer.complete(value);
                        } else {
                            answer.completeExceptionally(explain(script, failure));
                        }
                    });
        } catch (RuntimeException e) {
            answer.completeExceptionally(explain(script, e));
        }
        return answer;
    }
}

package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.NotReplicatedException;
import io.delayjob.engine.ledger.Replication;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.redisson.api.BatchOptions;
import org.redisson.api.BatchOptions.ExecutionMode;
import org.redisson.api.BatchResult;
import org.redisson.api.RBatch;
import org.redisson.api.RFuture;
import org.redisson.api.RedissonClient;

/**
 * Runs scripts that replicas must acknowledge. The script and WAIT go to the master in one batch on one connection, because WAIT
 * covers only what its own connection wrote. Only for scripts that write on every call, including repeats.
 *
 * <p>The batch is a transaction, so that a master that no longer has the slot rejects all of it. Otherwise Redisson would send it
 * again to the right master, but keep the wrong master's answer to WAIT.
 */
final class ReplicatedScripts implements TextScripts {

    /** The batch did not run. */
    private static final class ThrownBackException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final LedgerException explained;

        ThrownBackException(LedgerException explained) {
            super(explained);
            this.explained = explained;
        }
    }

    private final RedissonClient redisson;
    private final Scripts scripts;
    private final Replication replication;

    ReplicatedScripts(RedissonClient redisson, Scripts scripts, Replication replication) {
        this.redisson = redisson;
        this.scripts = scripts;
        this.replication = replication;
    }

    @Override
    public CompletableFuture<String> string(String script, KeyNames keys, List<?> args) {
        return scripts.connected(
                script,
                () -> together(script, keys, args)
                        .exceptionallyCompose(failure -> failure instanceof ThrownBackException
                                ? aloneFirst(script, keys, args)
                                : CompletableFuture.failedFuture(failure)));
    }

    /**
     * Handles a batch that was rejected and did not run: calls the script alone, which makes Redis load it, follows a slot that has
     * moved, or reports what is wrong. Then the batch is a repeat of that call, which gets the kept answer and waits for the
     * replicas.
     */
    private CompletableFuture<String> aloneFirst(String script, KeyNames keys, List<?> args) {
        return scripts.string(script, keys, args)
                .thenCompose(done -> together(script, keys, args)
                        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                                explained(script, failure).afterATryThatMayHaveRun())));
    }

    private CompletableFuture<String> together(String script, KeyNames keys, List<?> args) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        try {
            RBatch batch = redisson.createBatch(options());
            RFuture<String> ran = scripts.add(batch, script, keys, args);
            batch.executeAsync().whenComplete((done, failure) -> {
                if (failure == null) {
                    answer(answer, script, done);
                } else {
                    answer.completeExceptionally(failure(script, failure, ran));
                }
            });
        } catch (RuntimeException e) {
            answer.completeExceptionally(scripts.explain(script, e));
        }
        return answer;
    }

    private BatchOptions options() {
        return BatchOptions.defaults()
                .executionMode(ExecutionMode.IN_MEMORY_ATOMIC)
                .retryAttempts(0)
                .sync(replication.replicas(), replication.timeout());
    }

    private void answer(CompletableFuture<String> answer, String script, BatchResult<?> done) {
        int reached = done.getSyncedSlaves();
        if (reached >= replication.replicas()) {
            answer.complete((String) done.getResponses().get(0));
        } else {
            answer.completeExceptionally(new NotReplicatedException(
                    replication.replicas(), reached, RedisFailures.notReplicated(script, replication, reached)));
        }
    }

    private LedgerException explained(String script, Throwable failure) {
        return failure instanceof ThrownBackException back ? back.explained : scripts.explain(script, failure);
    }

    private RuntimeException failure(String script, Throwable failure, RFuture<String> ran) {
        if (RedisFailures.thrownBack(failure)) {
            return new ThrownBackException(scripts.explain(script, failure));
        }
        boolean waiting = ran.isDone() && !ran.toCompletableFuture().isCompletedExceptionally();
        return waiting ? RedisFailures.whileWaiting(script, failure) : scripts.explain(script, failure);
    }
}

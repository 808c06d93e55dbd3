package io.delayjob.redisson.autoconfigure;

import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.redisson.internal.redis.RedisBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;

/**
 * Warns about settings of Redis that may lose jobs, from the startup on: of its maxmemory-policy, which can be changed at any time and
 * may be another one after a failover, and of no persistence. Settings that Redis does not reveal are skipped.
 */
final class RedisWarnings implements DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(RedisWarnings.class);
    private static final String SAFE = "noeviction";

    private final Backend backend;
    private final String queue;
    private final Duration period;
    private volatile String policy = SAFE;
    private volatile boolean versionKnown;
    private volatile boolean closed;

    /**
     * Warnings.
     *
     * @param period from one look at the policy to the next
     */
    RedisWarnings(Backend backend, String queue, Duration period) {
        this.backend = backend;
        this.queue = queue;
        this.period = period;
    }

    /** Asks Redis for its settings, without waiting for the answers. */
    @EventListener(ApplicationReadyEvent.class)
    void ask() {
        if (backend instanceof RedisBackend redis) {
            askForPolicy(redis);
            redis.keepsNothing(queue)
                    .thenAccept(RedisWarnings::warnOfNoPersistence)
                    .exceptionally(failure -> {
                        log.debug("the persistence of Redis is unknown: {}", failure.toString());
                        return null;
                    });
        }
    }

    private void askForPolicy(RedisBackend redis) {
        redis.evictionPolicy(queue).handle((found, failure) -> {
            if (failure == null) {
                warnOfEviction(found);
                warnOfVersion(redis);
            } else {
                log.debug("the maxmemory-policy of Redis is unknown: {}", failure.toString());
            }
            if (!closed && !isRefused(failure)) {
                CompletableFuture.delayedExecutor(period.toMillis(), TimeUnit.MILLISECONDS, Runnable::run)
                        .execute(() -> askAgain(redis));
            }
            return null;
        });
    }

    private void askAgain(RedisBackend redis) {
        if (!closed) {
            askForPolicy(redis);
        }
    }

    private static boolean isRefused(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof LedgerException why
                && (why.kind() == LedgerException.Kind.REFUSED || why.kind() == LedgerException.Kind.SHUT_DOWN);
    }

    private void warnOfEviction(String found) {
        String before = policy;
        policy = found.isEmpty() ? SAFE : found;
        if (!policy.equals(SAFE) && !policy.equals(before)) {
            log.warn(
                    "Redis may evict keys of delayjob when its memory is full, and jobs with them: its maxmemory-policy is"
                            + " {}; set it to noeviction",
                    policy);
        }
    }

    /** Where the application started without Redis, this is the first time that it can tell. */
    private void warnOfVersion(RedisBackend redis) {
        if (versionKnown) {
            return;
        }
        versionKnown = true;
        redis.versions()
                .thenAccept(versions -> versions.stream()
                        .filter(RedisVersion::isTooOld)
                        .findFirst()
                        .ifPresent(version -> log.error(RedisVersion.refusal(version))))
                .exceptionally(failure -> {
                    log.debug("the version of Redis is unknown: {}", failure.toString());
                    return null;
                });
    }

    private static void warnOfNoPersistence(boolean keepsNothing) {
        if (keepsNothing) {
            log.warn(
                    "Redis keeps nothing on disk: if it restarts, every job that waits or runs is lost. Set its appendonly to yes");
        }
    }

    @Override
    public void destroy() {
        closed = true;
    }
}

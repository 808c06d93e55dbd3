package io.delayjob.redisson.autoconfigure;

import io.delayjob.engine.ledger.Backend;
import io.delayjob.redisson.internal.redis.RedisBackend;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;

/** Warns at startup about settings of Redis that may lose jobs. Settings that Redis does not reveal are skipped. */
final class RedisWarnings {

    private static final Logger log = LoggerFactory.getLogger(RedisWarnings.class);

    private final Backend backend;
    private final String queue;

    RedisWarnings(Backend backend, String queue) {
        this.backend = backend;
        this.queue = queue;
    }

    /** Asks Redis for its settings, without waiting for the answers. */
    @EventListener(ApplicationReadyEvent.class)
    void ask() {
        if (backend instanceof RedisBackend redis) {
            ask("maxmemory-policy", redis.evictionPolicy(queue), RedisWarnings::warnOfEviction);
            ask("persistence", redis.keepsNothing(queue), RedisWarnings::warnOfNoPersistence);
        }
    }

    private static <T> void ask(String setting, CompletableFuture<T> answer, Consumer<T> warn) {
        answer.thenAccept(warn).exceptionally(failure -> {
            log.debug("the {} of Redis is unknown: {}", setting, failure.toString());
            return null;
        });
    }

    private static void warnOfEviction(String policy) {
        if (!policy.isEmpty() && !policy.equals("noeviction")) {
            log.warn(
                    "Redis may evict keys of delayjob when its memory is full, and jobs with them: its maxmemory-policy is"
                            + " {}; set it to noeviction",
                    policy);
        }
    }

    private static void warnOfNoPersistence(boolean keepsNothing) {
        if (keepsNothing) {
            log.warn(
                    "Redis keeps nothing on disk: if it restarts, every job that waits or runs is lost. Set its appendonly to yes");
        }
    }
}

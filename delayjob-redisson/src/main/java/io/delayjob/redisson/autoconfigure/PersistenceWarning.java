package io.delayjob.redisson.autoconfigure;

import io.delayjob.redisson.internal.ledger.Backend;
import io.delayjob.redisson.internal.redis.RedisBackend;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;

/** Says at start that Redis keeps nothing on disk, before it restarts. What Redis does not tell is not warned of. */
final class PersistenceWarning {

    private static final Logger log = LoggerFactory.getLogger(PersistenceWarning.class);

    private final Backend backend;
    private final String queue;

    PersistenceWarning(Backend backend, String queue) {
        this.backend = backend;
        this.queue = queue;
    }

    /** Asks, and waits for nothing. */
    @EventListener(ApplicationReadyEvent.class)
    void ask() {
        if (backend instanceof RedisBackend redis) {
            var unused = redis.keepsNothing(queue).whenComplete(this::tell);
        }
    }

    private void tell(Boolean keepsNothing, Throwable failure) {
        if (failure != null) {
            log.debug("whether Redis keeps its data on disk is unknown: {}", failure.toString());
        } else if (keepsNothing) {
            log.warn(
                    "Redis keeps nothing on disk: if it restarts, every job that waits or runs is lost. Set its appendonly to yes");
        }
    }
}

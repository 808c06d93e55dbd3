package io.delayjob.redisson.autoconfigure;

import io.delayjob.redisson.internal.ledger.Backend;
import io.delayjob.redisson.internal.redis.RedisBackend;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;

/** Says at start that Redis may evict jobs when it is full, before it does. What Redis does not tell is not warned of. */
final class EvictionWarning {

    private static final Logger log = LoggerFactory.getLogger(EvictionWarning.class);

    private final Backend backend;
    private final String queue;

    EvictionWarning(Backend backend, String queue) {
        this.backend = backend;
        this.queue = queue;
    }

    /** Asks, and waits for nothing. */
    @EventListener(ApplicationReadyEvent.class)
    void ask() {
        if (backend instanceof RedisBackend redis) {
            var unused = redis.evictionPolicy(queue).whenComplete(this::tell);
        }
    }

    private void tell(String policy, Throwable failure) {
        if (failure != null) {
            log.debug("the maxmemory-policy of Redis is unknown: {}", failure.toString());
        } else if (!policy.isEmpty() && !policy.equals("noeviction")) {
            log.warn(
                    "Redis may evict keys of delayjob when its memory is full, and jobs with them: its maxmemory-policy is"
                            + " {}; set it to noeviction",
                    policy);
        }
    }
}

package io.delayjob.demo.delivery;

import io.delayjob.embedded.autoconfigure.RedisLocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Says, once the demo is ready, where it and its Redis are. */
@Component
final class StartupGuide {

    private static final Logger log = LoggerFactory.getLogger(StartupGuide.class);

    private final Environment environment;
    private final RedisLocation redis;

    StartupGuide(Environment environment, RedisLocation redis) {
        this.environment = environment;
        this.redis = redis;
    }

    @EventListener(ApplicationReadyEvent.class)
    void show() {
        log.info("""
                the demo of jobs that leave is ready at http://localhost:{}/
                  Redis: {}""", environment.getProperty("local.server.port", "8080"), redis.description());
    }
}

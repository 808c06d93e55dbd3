package io.delayjob.demo;

import io.delayjob.embedded.autoconfigure.RedisLocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Says, once the demo is ready, where it and its Redis are and what to try. */
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
        log.info(text("http://localhost:" + environment.getProperty("local.server.port", "8080")));
    }

    private String text(String url) {
        String api = url + "/api/delayJob";
        return """
                the demo is ready at %s/
                  Redis:         %s
                  submit a job:  curl '%s/producer?name=Ann&age=30&delay=5&id=job-1'
                  fail once:     curl '%s/producer?name=Bob&delay=2&fail=1'
                  look at it:    curl '%s/jobs/job-1'
                  cancel it:     curl -X DELETE '%s/jobs/job-1'
                  why not yet:   curl '%s/jobs/job-1/explanation'
                  what ran:      curl '%s/executions?limit=10'
                  order flow:    curl -X POST '%s/api/orders?secondsToPay=20', and pay it in time or not:
                                 curl -X POST '%s/api/orders/{id}/payment'
                  what recurs:   curl '%s/api/orders/summary'""".formatted(url, redis.description(), api, api, api, api, api, api, url, url, url);
    }
}

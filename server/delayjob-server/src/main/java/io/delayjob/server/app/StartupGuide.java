package io.delayjob.server.app;

import io.delayjob.embedded.autoconfigure.RedisLocation;
import io.delayjob.journal.autoconfigure.OnJournal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Says, once the server is ready, where it and its Redis are and what to try. */
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
        String url = "http://localhost:" + environment.getProperty("local.server.port", "8080");
        log.info("""
                the server is ready at {}/api/v1
                  Redis:         {}
                  journal:       {}
                  submit a job:  curl {}/api/v1/queues/mail/jobs -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
                -d '{"topic": "greet", "param": {"name": "Ann"}, "delay": "PT5S"}'
                  claim it:      curl {}/api/v1/queues/mail/claims -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
                -d '{"max": 10, "wait": "PT20S"}'""", url, redis.description(), journal(), url, url);
    }

    private String journal() {
        return OnJournal.matches(environment)
                ? environment.getRequiredProperty("spring.datasource.url").replaceFirst("[;?].*", "")
                : "none; --delayjob.journal.mode=transactional keeps one";
    }
}

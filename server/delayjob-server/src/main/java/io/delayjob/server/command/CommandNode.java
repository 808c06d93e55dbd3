package io.delayjob.server.command;

import io.delayjob.DelayJobJournal;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** A node of the fleet for the time of a command: it runs no jobs and serves nobody. */
record CommandNode(ConfigurableApplicationContext context) implements AutoCloseable {

    /** Properties that override those of the servers: the node serves nobody, runs no jobs, and restores none by itself. */
    private static final Map<String, String> FIXED = Map.of(
            "spring.main.web-application-type", "none",
            "delayjob.consume", "false",
            "delayjob.journal.restore-automatically", "false",
            "logging.level.root", "warn");

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** Starts it on the Redis and the database that properties name. */
    static CommandNode start(Map<String, String> properties) {
        Map<String, String> all = new TreeMap<>(properties);
        all.putAll(FIXED);
        SpringApplication application = new SpringApplication(Application.class);
        application.setRegisterShutdownHook(false);
        try {
            return new CommandNode(application.run(all.entrySet().stream()
                    .map(property -> "--" + property.getKey() + "=" + property.getValue())
                    .toArray(String[]::new)));
        } catch (RuntimeException e) {
            // Boot has said why.
            throw new IllegalStateException("the command cannot be done", e);
        }
    }

    DelayJobJournal journal() {
        return context.getBeanProvider(DelayJobJournal.class).stream()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "there is no journal here: give the properties of your servers, such as --delayjob.journal.mode=transactional and"
                                + " --spring.datasource.url=…, or ask a server with --url=…"));
    }

    @Override
    public void close() {
        context.close();
    }
}

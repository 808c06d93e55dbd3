package io.delayjob.journal.autoconfigure;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.SubmitResult;
import io.delayjob.engine.extension.Transactions;
import io.delayjob.redisson.autoconfigure.DelayJobRedisAutoConfiguration;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with a journal. */
record JournalNode(ConfigurableApplicationContext context) implements AutoCloseable {

    /** The auto-configurations of a node. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        JacksonAutoConfiguration.class,
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        JdbcTemplateAutoConfiguration.class,
        TransactionAutoConfiguration.class,
        DelayJobRedisAutoConfiguration.class,
        DelayJobAutoConfiguration.class,
        DelayJobJournalAutoConfiguration.class
    })
    static class Application {}

    /** Opens one on a Redis and a database. */
    static JournalNode open(String redis, String database, String queue, Runs runs, String... properties) {
        return open(redis, database, queue, runs, null, properties);
    }

    /** Opens one whose transactions tell their commits as given: not at all, as those of a process that dies then. */
    static JournalNode open(
            String redis,
            String database,
            String queue,
            Runs runs,
            @Nullable Transactions transactions,
            String... properties) {
        return run(application(runs, transactions), redis, database, queue, properties);
    }

    /** An application to which a test adds its own configuration before it runs. */
    static SpringApplication application(Runs runs, @Nullable Transactions transactions) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(org.springframework.boot.Banner.Mode.OFF);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(Map.of(
                "delayjob.observation-enabled",
                false,
                "spring.datasource.hikari.maximum-pool-size",
                20,
                "spring.datasource.hikari.minimum-idle",
                2));
        application.addInitializers(context -> {
            GenericApplicationContext beans = (GenericApplicationContext) context;
            beans.registerBean(Runs.class, () -> runs);
            if (transactions != null) {
                beans.registerBean(Transactions.class, () -> transactions);
            }
        });
        return application;
    }

    static JournalNode run(
            SpringApplication application, String redis, String database, String queue, String... properties) {
        return new JournalNode(application.run(Stream.concat(
                        Stream.of(
                                "spring.data.redis.url=" + redis,
                                "spring.datasource.url=" + database,
                                "delayjob.default-queue=" + queue),
                        Arrays.stream(properties))
                .map(property -> "--" + property)
                .toArray(String[]::new)));
    }

    DelayJobProducer producer() {
        return context.getBean(DelayJobProducer.class);
    }

    static DelayJobRequest<String> note(String note) {
        return DelayJobRequest.toTopic("note", note).withId(note);
    }

    SubmitResult submit(String note) {
        return producer().submit(note(note), Duration.ZERO);
    }

    TransactionTemplate transaction() {
        return context.getBean(TransactionTemplate.class);
    }

    JdbcTemplate jdbc() {
        return context.getBean(JdbcTemplate.class);
    }

    int rows(String condition) {
        Integer rows = jdbc().queryForObject("SELECT COUNT(*) FROM delayjob_job WHERE " + condition, Integer.class);
        return rows == null ? 0 : rows;
    }

    /** Its queue. */
    String queue() {
        return context.getEnvironment().getRequiredProperty("delayjob.default-queue");
    }

    /** Whether Redis has no job of an id. */
    boolean isGone(String id) {
        return context.getBean(DelayJobAdmin.class).find(queue(), id).isEmpty();
    }

    @Override
    public void close() {
        context.close();
    }
}

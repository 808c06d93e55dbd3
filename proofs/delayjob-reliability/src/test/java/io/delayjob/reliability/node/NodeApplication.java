package io.delayjob.reliability.node;

import io.delayjob.DelayJobProducer;
import io.delayjob.JobEvent;
import io.delayjob.JobExecution;
import io.delayjob.spi.JobEventListener;
import io.delayjob.spi.JobInterceptor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/**
 * A node as a user would build it: a Boot application with a bean and Redis by {@code spring.data.redis.*}. Its own settings
 * are {@code node.journal} (a file), {@code node.trap} ({@link Trap}) and {@code node.skew} (how wrong its clock is, such as
 * {@code PT10M}). It has no database unless {@code spring.autoconfigure.exclude} is set to nothing; see {@link NodeDatabase}.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(NodeDatabase.class)
public class NodeApplication {

    private static final Map<String, Object> WITHOUT_JOURNAL = Map.of(
            "delayjob.journal.mode",
            "off",
            "spring.autoconfigure.exclude",
            DataSourceAutoConfiguration.class.getName());

    /** The application, in a process of its own. */
    public static void main(String[] args) {
        String skew = System.getProperty("node.skew", "");
        if (!skew.isEmpty()) {
            SkewedClock.install(Duration.parse(skew));
        }
        start(args);
    }

    /** The application, in this process. */
    public static ConfigurableApplicationContext start(String... args) {
        SpringApplication application = new SpringApplication(NodeApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setDefaultProperties(WITHOUT_JOURNAL);
        return application.run(args);
    }

    @Bean
    Journal journal(@Value("${node.journal}") Path file) {
        return new Journal(file);
    }

    @Bean
    Trap trap(Journal journal, @Value("${node.trap:}") String text) {
        return new Trap(journal, text);
    }

    @Bean
    WorkJob workJob(Journal journal, Trap trap, ObjectProvider<DelayJobProducer> producer) {
        return new WorkJob(journal, trap, producer);
    }

    @Bean
    StubbornJob stubbornJob(Journal journal) {
        return new StubbornJob(journal);
    }

    @Bean
    JobInterceptor trapsAroundTheBean(Trap trap) {
        return new JobInterceptor() {
            @Override
            public void execute(JobExecution<?> execution, Attempt attempt) throws Exception {
                trap.pass(Trap.Point.CLAIMED, execution.id(), execution.attempt());
                attempt.proceed();
                trap.pass(Trap.Point.ENDED, execution.id(), execution.attempt());
            }
        };
    }

    @Bean
    JobEventListener eventsToJournal(Journal journal) {
        return event -> {
            if (event instanceof JobEvent.OfAttempt step) {
                write(journal, step);
            }
        };
    }

    private static void write(Journal journal, JobEvent.OfAttempt step) {
        if (step instanceof JobEvent.Claimed claimed) {
            journal.write(
                    Journal.Kind.CLAIMED,
                    step.id(),
                    step.attempt(),
                    claimed.claimedAt().toEpochMilli());
        } else if (!(step instanceof JobEvent.Renewed)) {
            journal.write(
                    Journal.Kind.valueOf(step.getClass().getSimpleName().toUpperCase(java.util.Locale.ROOT)),
                    step.id(),
                    step.attempt(),
                    0);
        }
    }

    @Bean
    Presence presence(Journal journal, @Value("${delayjob.node}") String node) {
        return new Presence(journal, node);
    }

    /** Says when the node is up and when it has stopped in order. */
    record Presence(Journal journal, String node) {

        @EventListener(ApplicationReadyEvent.class)
        void ready() {
            journal.write(Journal.Kind.READY, node, 0, 0);
        }

        @EventListener(ContextClosedEvent.class)
        void closing() {
            journal.write(Journal.Kind.STOPPED, node, 0, 0);
        }
    }
}

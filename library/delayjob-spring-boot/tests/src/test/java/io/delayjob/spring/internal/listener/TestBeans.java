package io.delayjob.spring.internal.listener;

import io.delayjob.Acknowledgment;
import io.delayjob.Backoff;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.ExceptionRules;
import io.delayjob.engine.settings.NodeQueues;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.spi.BackoffPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mockito.Mockito;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.MapPropertySource;
import tools.jackson.databind.json.JsonMapper;

/** Beans, and the jobs that are found among them. */
final class TestBeans implements AutoCloseable {

    static final Backoff ORDERS = new Backoff(Duration.ofSeconds(3), Duration.ofSeconds(30), 3, 0.3);

    final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final Map<String, Object> properties = new HashMap<>();

    TestBeans() {
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.registerBean(PropertySourcesPlaceholderConfigurer.class, PropertySourcesPlaceholderConfigurer::new);
    }

    static TestBeans of(Class<?>... types) {
        TestBeans beans = new TestBeans();
        for (Class<?> type : types) {
            beans.context.registerBean(decapitalized(type), type);
        }
        return beans;
    }

    private static String decapitalized(Class<?> type) {
        String name = type.getSimpleName();
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    TestBeans property(String name, String value) {
        properties.put(name, value);
        return this;
    }

    /** Makes the beans, and finds the jobs. */
    List<Handler> jobs() {
        context.refresh();
        return find();
    }

    List<Handler> find() {
        return new JobFinder(
                        context.getBeanFactory(),
                        new ParamCodec(JsonMapper.builder().build(), 1000),
                        new NodeQueues(
                                "main",
                                queue(Backoff.DEFAULT),
                                Map.of("orders", queue(ORDERS), "policed", queue((attempt, failure) -> Duration.ZERO))))
                .find();
    }

    /** The only job. */
    Handler job() {
        List<Handler> jobs = jobs();
        if (jobs.size() != 1) {
            throw new IllegalStateException("not one job: " + jobs);
        }
        return jobs.get(0);
    }

    private static QueueSettings queue(BackoffPolicy backoff) {
        return new QueueSettings(
                1,
                1,
                Duration.ofSeconds(1),
                new AttemptPolicy(1, backoff, null, null, ExceptionRules.NONE),
                1,
                Retention.NONE,
                Replication.NONE);
    }

    static void run(Handler job, TestExecution execution) throws Exception {
        job.work().execute(execution, Mockito.mock(Acknowledgment.class));
    }

    @Override
    public void close() {
        context.close();
    }
}

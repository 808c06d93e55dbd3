package io.delayjob.benchmarks.contender.rqueue;

import com.github.sonus21.rqueue.config.SimpleRqueueListenerContainerFactory;
import com.github.sonus21.rqueue.core.EndpointRegistry;
import com.github.sonus21.rqueue.core.RqueueMessageEnqueuer;
import com.github.sonus21.rqueue.utils.backoff.FixedTaskExecutionBackOff;
import io.delayjob.benchmarks.contender.Contender;
import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.contender.ContenderProvider;
import io.delayjob.benchmarks.contender.Job;
import io.delayjob.benchmarks.contender.Store;
import io.delayjob.benchmarks.contender.Work;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A Boot application with Rqueue's starter and a listener. As it comes, Rqueue moves at most 100 due messages every 2 s and polls
 * every 200 ms for 10 messages; here it moves 1000 every 100 ms and polls every millisecond, which is more than ten times as fast.
 * Options that begin with {@code rqueue.} replace its properties. Rqueue has no way to hand over several messages at once. Until
 * it consumes it is a producer, one of Rqueue's modes.
 */
@SuppressWarnings("try")
public final class RqueueContender implements Contender {

    private static final long POLLING_INTERVAL = 1;
    private static final long BACKOFF_MILLIS = 1;
    private static final int MAX_RETRIES = 3;

    private final Store store;
    private final Map<String, String> properties = new TreeMap<>(Map.of(
            "rqueue.latest.version.check.enabled", "false",
            "rqueue.scheduler.scheduled.message.time.interval", "100",
            "rqueue.scheduler.max.message.count", "1000"));
    private ConfigurableApplicationContext node;
    private RqueueMessageEnqueuer enqueuer;

    private RqueueContender(Store store, Map<String, String> options) {
        this.store = store;
        options.forEach((name, value) -> {
            if (name.startsWith("rqueue.")) {
                properties.put(name, value);
            }
        });
        this.node = start(1, (id, due, attempt) -> {}, "--rqueue.system.mode=PRODUCER");
        this.enqueuer = node.getBean(RqueueMessageEnqueuer.class);
    }

    /** Makes it. */
    public static final class Provider implements ContenderProvider {

        @Override
        public @Nullable Contender open(ContenderName name, Store store, Map<String, String> options) {
            return name == ContenderName.RQUEUE ? new RqueueContender(store, options) : null;
        }
    }

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        SimpleRqueueListenerContainerFactory simpleRqueueListenerContainerFactory() {
            SimpleRqueueListenerContainerFactory factory = new SimpleRqueueListenerContainerFactory();
            factory.setPollingInterval(POLLING_INTERVAL);
            factory.setTaskExecutionBackOff(new FixedTaskExecutionBackOff(BACKOFF_MILLIS, MAX_RETRIES));
            return factory;
        }

        @Bean
        CloseOrderListener closeOrderListener(Work work) {
            return new CloseOrderListener(work);
        }
    }

    private ConfigurableApplicationContext start(int workers, Work work, String... more) {
        Map<String, Object> defaults = new TreeMap<>(properties);
        defaults.put("spring.data.redis.url", store.url());
        defaults.put("benchmarks.workers", workers);
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setDefaultProperties(defaults);
        application.addInitializers(context -> context.getBeanFactory().registerSingleton("work", work));
        return application.run(more);
    }

    @Override
    public Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(properties);
        settings.remove("rqueue.latest.version.check.enabled");
        settings.put("release", release());
        settings.put("spring-boot", SpringBootVersion.getVersion());
        settings.put("pollingInterval", POLLING_INTERVAL + " ms");
        return settings;
    }

    private static String release() {
        Class<?> rqueue = RqueueMessageEnqueuer.class;
        String jar = rqueue.getProtectionDomain().getCodeSource().getLocation().getPath();
        return Path.of(jar).getFileName().toString().replace(".jar", "");
    }

    @Override
    public void submit(Job job) {
        // A due time that is over is refused.
        long delayMillis = Math.max(1, job.dueMillis() - System.currentTimeMillis());
        enqueuer.enqueueIn(CloseOrderListener.QUEUE, job.id(), CloseOrder.of(job), delayMillis);
    }

    @Override
    public void submitAll(List<Job> jobs) {
        jobs.forEach(this::submit);
    }

    @Override
    public void consume(int workers, Work work) {
        node.close();
        // Queues are registered for the JVM, and this JVM begins another application.
        EndpointRegistry.delete();
        node = start(workers, work);
        enqueuer = node.getBean(RqueueMessageEnqueuer.class);
    }

    @Override
    public void close() {
        node.close();
    }
}

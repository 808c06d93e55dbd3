package io.delayjob.benchmarks.contender.delayjob;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.DelayJobSchedules;
import io.delayjob.JobExecution;
import io.delayjob.Schedule;
import io.delayjob.benchmarks.contender.Contender;
import io.delayjob.benchmarks.contender.Job;
import io.delayjob.benchmarks.contender.PlacedOrders;
import io.delayjob.benchmarks.contender.Store;
import io.delayjob.benchmarks.contender.Tallies;
import io.delayjob.benchmarks.contender.Work;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * delayjob in a Boot application, with its auto-configuration. Options that begin with {@code delayjob.} or {@code spring.} are its
 * properties; all others have their defaults. With {@code spring.datasource.url} it has a journal, and with {@code outbox} every submit is
 * part of a transaction. With {@code queues} its jobs are spread over so many queues. With {@code turns} a job counts as due once the job of its key before it has ended.
 * With the option {@code without} it has a bean for other jobs instead of the one that runs these, and with {@code receiver} none:
 * its jobs leave as calls to {@link Targets}. Until it consumes, it is a node that only submits.
 */
@SuppressWarnings("try")
public final class DelayJobContender implements Contender {

    private static final String REDIS = "redis://";
    private static final String CLUSTER = "redis-cluster://";
    private static final DateTimeFormatter YEARLY =
            DateTimeFormatter.ofPattern("s m H d M '*'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final Map<String, Object> WITHOUT_DATABASE = Map.of(
            "delayjob.journal.mode",
            "off",
            "spring.autoconfigure.exclude",
            DataSourceAutoConfiguration.class.getName());

    /** How the ids of jobs begin that all have one key. */
    public static final String HELD = "held";

    /** How the ids of jobs begin that are in a queue of this name. */
    public static final String RATED = "rated";

    private static final int PRIORITIES = 10;

    private static final Map<String, String> WITHOUT_DELIVERY = Map.of("delayjob.delivery.enabled", "false");

    private final Map<String, String> properties = new TreeMap<>();
    private final Class<?> beans;
    private final boolean outbox;
    private final int queues;
    private final int keys;
    private final boolean hasTurns;
    private final boolean hasPriorities;
    private final boolean isNamed;
    private final @Nullable Targets targets;
    private @Nullable ConfigurableApplicationContext node;
    private volatile @Nullable Submits submits;

    public DelayJobContender(Store store, Map<String, String> options) {
        options.forEach((name, value) -> {
            if (name.startsWith("delayjob.") || name.startsWith("spring.")) {
                properties.put(name, value);
            }
        });
        properties.putAll(address(store.url()));
        targets = Targets.of(options);
        properties.putAll(targets == null ? WITHOUT_DELIVERY : targets.properties());
        beans = targets != null ? Application.class : options.containsKey("without") ? OtherBeans.class : Beans.class;
        outbox = options.containsKey("outbox");
        queues = Integer.parseInt(options.getOrDefault("queues", "0"));
        keys = Integer.parseInt(options.getOrDefault("keys", "0"));
        hasTurns = options.containsKey("turns");
        hasPriorities = options.containsKey("priorities");
        IntStream.range(0, queues)
                .forEach(i -> properties.put("delayjob.queues.%s.journal.mode".formatted(queue(i)), "off"));
        isNamed = options.containsKey("named");
    }

    private static Map<String, String> address(String url) {
        return url.startsWith(CLUSTER)
                ? Map.of("spring.data.redis.cluster.nodes", url.substring(CLUSTER.length()))
                : Map.of("spring.data.redis.url", REDIS + url.substring(REDIS.length()));
    }

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        MeterRegistry meterRegistry() {
            return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        }
    }

    /** Run the jobs. */
    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        CloseOrderJob closeOrderJob(Work work) {
            return new CloseOrderJob(work);
        }
    }

    /** Run other jobs. */
    @Configuration(proxyBeanMethods = false)
    static class OtherBeans {

        @Bean
        DelayJob<String> otherJob() {
            return new OtherJob();
        }
    }

    /** Runs jobs that nobody submits. */
    private static final class OtherJob implements DelayJob<String> {

        @Override
        public void execute(JobExecution<String> execution) {}
    }

    @Override
    public Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(properties);
        settings.keySet()
                .removeIf(name -> name.startsWith("spring.data.redis")
                        || name.startsWith("delayjob.queues.queue-")
                        || name.startsWith("delayjob.delivery.")
                        || name.equals("spring.datasource.url"));
        if (targets != null) {
            settings.put("targets", Integer.toString(targets.count()));
        }
        settings.put("meters", "Prometheus");
        return settings;
    }

    /**
     * Objects that a submit needs.
     *
     * @param orders writes an order in the same transaction as each job; null if none is written
     */
    private record Submits(
            DelayJobProducer producer,
            DelayJobSchedules schedules,
            @Nullable PlacedOrders orders) {}

    @Override
    public void submit(Job job) throws Exception {
        Submits known = submits();
        if (known.orders() == null) {
            submit(known.producer(), job);
        } else {
            known.orders().place(List.of(job), () -> submit(known.producer(), job));
        }
    }

    private void submit(DelayJobProducer producer, Job job) {
        producer.submitDelayJob(request(job), Instant.ofEpochMilli(job.dueMillis()));
    }

    @Override
    public void submitAll(List<Job> jobs) throws Exception {
        Submits known = submits();
        if (known.orders() == null) {
            submitAll(known.producer(), jobs);
        } else {
            known.orders().place(jobs, () -> submitAll(known.producer(), jobs));
        }
    }

    private void submitAll(DelayJobProducer producer, List<Job> jobs) {
        List<DelayJobRequest<CloseOrder>> requests = new ArrayList<>(jobs.size());
        jobs.forEach(job -> requests.add(request(job)));
        // A bulk has delays, not times. From the millisecond that has begun, so that no job is due before its time.
        long now = System.currentTimeMillis();
        producer.submitDelayJobs(requests, request -> Duration.ofMillis(Math.max(0, dueMillis(request) - now)));
    }

    /** Once a year, at the time of the job. */
    @Override
    public void putSchedule(Job job) {
        String cron = YEARLY.format(Instant.ofEpochMilli(job.dueMillis()));
        submits()
                .schedules()
                .put(Schedule.cron(job.id(), CloseOrderJob.class.getName(), cron)
                        .withParam(new CloseOrder(job.dueMillis(), job.payload())));
    }

    private static long dueMillis(DelayJobRequest<?> request) {
        return request.param() instanceof CloseOrder order ? order.dueMillis() : 0;
    }

    private DelayJobRequest<CloseOrder> request(Job job) {
        CloseOrder order = new CloseOrder(job.dueMillis(), isNamed ? job.id() : job.payload());
        DelayJobRequest<CloseOrder> request = targets == null
                ? DelayJobRequest.of(CloseOrderJob.class, order)
                : DelayJobRequest.toTopic(targets.topic(job.id()), order);
        return placed(ordered(request, job.id()), job.id()).withId(job.id());
    }

    /** With the key or the priority that the workload is about. */
    private DelayJobRequest<CloseOrder> ordered(DelayJobRequest<CloseOrder> request, String id) {
        if (keys > 0) {
            return request.withKey(key(id));
        } else if (id.startsWith(HELD)) {
            return request.withKey(HELD);
        }
        return hasPriorities ? request.withPriority(Math.floorMod(id.hashCode(), PRIORITIES)) : request;
    }

    private String key(String id) {
        return "customer-" + Math.floorMod(id.hashCode(), keys);
    }

    private DelayJobRequest<CloseOrder> placed(DelayJobRequest<CloseOrder> request, String id) {
        if (id.startsWith(RATED)) {
            return request.withQueue(RATED);
        }
        return queues == 0 ? request : request.withQueue(queue(Math.floorMod(id.hashCode(), queues)));
    }

    private static String queue(int number) {
        return "queue-" + number;
    }

    /** The objects that a submit needs: looked up once, as if they were injected into a bean. */
    private Submits submits() {
        Submits known = submits;
        return known == null ? openSubmits() : known;
    }

    private synchronized Submits openSubmits() {
        Submits known = submits;
        if (known == null) {
            ConfigurableApplicationContext context =
                    node(Map.of("delayjob.consume", "false"), (id, due, attempt) -> {});
            known = new Submits(
                    context.getBean(DelayJobProducer.class),
                    context.getBean(DelayJobSchedules.class),
                    outbox ? new PlacedOrders(context.getBean(DataSource.class)) : null);
            submits = known;
        }
        return known;
    }

    @Override
    public void consume(int workers, Work work) {
        close();
        node(Map.of("delayjob.concurrency", Integer.toString(workers)), hasTurns ? inTurns(work) : work);
    }

    /** Counts how late a job is from the end of the job of its key before it on this node, if that is after its due time. */
    private Work inTurns(Work work) {
        Map<String, Long> ends = new ConcurrentHashMap<>();
        return (id, dueMicros, attempt) -> {
            work.runSince(id, Math.max(dueMicros, ends.getOrDefault(key(id), 0L)), attempt);
            ends.put(key(id), Tallies.nowMicros());
        };
    }

    private synchronized ConfigurableApplicationContext node(Map<String, String> more, Work work) {
        if (node == null) {
            node = start(more, work);
        }
        return Objects.requireNonNull(node);
    }

    private ConfigurableApplicationContext start(Map<String, String> more, Work work) {
        properties.putAll(more);
        SpringApplication application = new SpringApplication(Application.class, beans);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setDefaultProperties(properties.containsKey("spring.datasource.url") ? Map.of() : WITHOUT_DATABASE);
        application.addInitializers(context -> context.getBeanFactory().registerSingleton("work", work));
        return application.run(properties.entrySet().stream()
                .map(one -> "--" + one.getKey() + "=" + one.getValue())
                .toArray(String[]::new));
    }

    @Override
    public synchronized void close() {
        properties.remove("delayjob.consume");
        if (node != null) {
            node.close();
            node = null;
            submits = null;
        }
    }
}

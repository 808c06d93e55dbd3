package io.delayjob.reliability.bare;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.reliability.node.NodeApplication;
import io.delayjob.reliability.node.Work;
import io.delayjob.reliability.node.WorkJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.context.ConfigurableApplicationContext;

/** delayjob, in an application. */
final class DelayJobSide extends Side {

    /** An application that submits, and runs no jobs. */
    static final String SUBMITS_ONLY = "delayjob.consume=false";

    private final List<String> queues;
    private final Work work;
    private final ConfigurableApplicationContext application;

    DelayJobSide(Path folder, Duration work, List<String> queues, String... properties) {
        super(folder);
        this.queues = queues;
        this.work = new Work(work.toMillis(), 0);
        this.application = closing(start("delayjob", properties), ConfigurableApplicationContext::close);
    }

    /** Starts another application with the same queues. */
    ConfigurableApplicationContext start(String node, String... properties) {
        List<String> settings = new ArrayList<>(List.of(
                "spring.data.redis.url=" + proxy.url(),
                "spring.main.register-shutdown-hook=false",
                "node.journal=" + journal(node),
                "delayjob.node=" + node,
                "delayjob.default-queue=" + QUEUE,
                "delayjob.lease=9s"));
        queues.forEach(queue -> settings.add("delayjob.queues." + queue + ".concurrency=1"));
        settings.addAll(List.of(properties));
        return NodeApplication.start(
                settings.stream().map(setting -> "--" + setting).toArray(String[]::new));
    }

    @Override
    void send(String queue, String id, Duration delay) {
        producer(application).submit(request(id).withQueue(queue), delay);
    }

    @Override
    void sendAll(List<String> ids) {
        producer(application).submitDelayJobs(ids.stream().map(this::request).toList(), Duration.ZERO);
    }

    /** Changes the stored param to one that the worker cannot read, as after a change of the param's class. */
    @Override
    void sendUnreadable(String id, Duration delay) {
        send(QUEUE, id, delay);
        String record = redis("HGET", key(QUEUE, "jobs"), id);
        String changed = record.replaceAll("\\{\"millis\"[^}]*}", "\"no work\"");
        assertThat(changed).isNotEqualTo(record);
        redis("HSET", key(QUEUE, "jobs"), id, changed);
    }

    @Override
    Submitter submitter() {
        ConfigurableApplicationContext other = start("other", SUBMITS_ONLY);
        return new Submitter() {
            @Override
            public void send(String id, Duration delay) {
                producer(other).submit(request(id), delay);
            }

            @Override
            public void close() {
                other.close();
            }
        };
    }

    private static DelayJobProducer producer(ConfigurableApplicationContext application) {
        return application.getBean(DelayJobProducer.class);
    }

    private DelayJobRequest<Work> request(String id) {
        return DelayJobRequest.of(WorkJob.class, work).withQueue(QUEUE).withId(id);
    }

    @Override
    void restartWorker() {
        application.stop();
        application.start();
    }

    @Override
    Class<?> program() {
        return NodeApplication.class;
    }

    @Override
    String timeouts(String queue) {
        return "redisson_delay_queue_timeout:" + key(queue, "ready");
    }

    @Override
    int left(long beforeMillis) {
        return queues.stream()
                .mapToInt(queue -> number("ZCOUNT", key(queue, "waiting"), "-inf", Long.toString(beforeMillis))
                        + number("ZCARD", key(queue, "reserved")))
                .sum();
    }

    @Override
    Set<String> dead() {
        return queues.stream()
                .flatMap(queue -> redis("ZRANGE", key(queue, "dead"), "0", "-1").lines())
                .collect(Collectors.toSet());
    }

    /** A key of the ledger. */
    static String key(String queue, String name) {
        return "delayjob:{" + queue + ":0}:" + name;
    }
}

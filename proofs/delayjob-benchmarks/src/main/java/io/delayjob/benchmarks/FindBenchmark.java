package io.delayjob.benchmarks;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobSnapshot;
import io.delayjob.benchmarks.driver.RedisStore;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * How long it takes to find a job by its id, in a queue with several shards. The shard of the id has the job, or points to the one that has it: that
 * of its key.
 */
@NullMarked
@State(Scope.Benchmark)
public class FindBenchmark {

    private static final String QUEUE = "found";
    private static final int JOBS = 1000;

    @Param({"1", "4", "16"})
    private int shards;

    private final RedisStore redis = RedisStore.single();
    private @Nullable ConfigurableApplicationContext node;
    private @Nullable DelayJobAdmin admin;
    private int next;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class Application {}

    /** Starts a node, and submits jobs that are due in an hour. */
    @Setup(Level.Trial)
    public void submit() {
        ConfigurableApplicationContext started = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .run(
                        "--spring.data.redis.url=" + redis.store().url(),
                        "--delayjob.queues." + QUEUE + ".shards=" + shards,
                        "--delayjob.delivery.enabled=false",
                        "--delayjob.journal.mode=off");
        node = started;
        admin = started.getBean(DelayJobAdmin.class);
        DelayJobProducer producer = started.getBean(DelayJobProducer.class);
        for (int i = 0; i < JOBS; i++) {
            DelayJobRequest<Void> request = DelayJobRequest.toTopic("topic").withQueue(QUEUE);
            producer.submitDelayJob(request.withId("plain-" + i), Duration.ofHours(1));
            producer.submitDelayJob(request.withId("keyed-" + i).withKey("key-" + i), Duration.ofHours(1));
        }
    }

    @TearDown(Level.Trial)
    public void close() {
        Objects.requireNonNull(node).close();
        redis.close();
    }

    /** The id's shard has it: one call. */
    @Benchmark
    public Optional<JobSnapshot> inTheShardOfItsId() {
        return find("plain-");
    }

    /** The id's shard does not have it, and points to the one that does: three calls. */
    @Benchmark
    public Optional<JobSnapshot> inTheShardOfItsKey() {
        return find("keyed-");
    }

    private Optional<JobSnapshot> find(String ids) {
        next = (next + 1) % JOBS;
        return Objects.requireNonNull(admin).find(QUEUE, ids + next);
    }
}

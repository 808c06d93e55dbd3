package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.Dedupe;
import io.delayjob.DelayJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.Explanation;
import io.delayjob.JobExecution;
import io.delayjob.JobQuery;
import io.delayjob.JobState;
import io.delayjob.NonRetryableException;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Everything an application can do with jobs, once. */
final class FullFlow {

    static final List<String> SETTINGS = List.of(
            "delayjob.lease=1s",
            "delayjob.backoff.initial=50ms",
            "delayjob.no-handler-timeout=1s",
            "delayjob.retention.count=100",
            "delayjob.shutdown-timeout=1s");

    private static final Duration SOON = Duration.ofMinutes(2);

    private final DelayJobProducer producer;
    private final DelayJobAdmin admin;
    private final String queue;

    /** Param of a job: names the action that it takes. */
    record Task(String what) {}

    /** Does what its param says. */
    static final class TaskJob implements DelayJob<Task> {

        @Override
        public void execute(JobExecution<Task> execution) throws Exception {
            switch (execution.param().what()) {
                case "fail once" -> {
                    if (execution.attempt() == 1) {
                        throw new IllegalStateException("first attempt");
                    }
                }
                case "die" -> throw new NonRetryableException("hopeless");
                case "take long" -> {
                    execution.progress(50, "half");
                    execution.extendLease(Duration.ofSeconds(1));
                    Thread.sleep(1500);
                }
                case "hang" -> Thread.sleep(60_000);
                default -> execution.result("done");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        TaskJob taskJob() {
            return new TaskJob();
        }
    }

    FullFlow(ApplicationContext context, String queue) {
        this.producer = context.getBean(DelayJobProducer.class);
        this.admin = context.getBean(DelayJobAdmin.class);
        this.queue = queue;
    }

    void run() {
        complete();
        diesAndIsRedriven();
        waitsForItsTime();
        isCancelledWhileItRuns();
        standsAloneByItsKey();
        isLeftToOthers();
        isLookedAt();
    }

    private void submit(String id, String what, Duration delay) {
        producer.submitDelayJob(
                DelayJobRequest.of(TaskJob.class, new Task(what)).withId(id), delay);
    }

    private void await(String id, JobState state) {
        Awaitility.await(id)
                .atMost(SOON)
                .until(() -> admin.find(queue, id)
                        .filter(job -> job.state() == state)
                        .isPresent());
    }

    private void complete() {
        submit("now", "", Duration.ZERO);
        // Long enough that a doorbell is arranged for it.
        submit("later", "", Duration.ofSeconds(3));
        submit("flaky", "fail once", Duration.ZERO);
        submit("long", "take long", Duration.ZERO);
        List.of("now", "later", "flaky", "long").forEach(id -> await(id, JobState.COMPLETED));
    }

    private void diesAndIsRedriven() {
        submit("dead", "die", Duration.ZERO);
        await("dead", JobState.DEAD);
        assertThat(admin.redrive(queue, "dead").done()).isTrue();
        await("dead", JobState.DEAD);
        assertThat(admin.redriveAll(queue, 10, 100)).isEqualTo(1);
        await("dead", JobState.DEAD);
        assertThat(admin.purgeDead(queue, Duration.ZERO, 10)).isEqualTo(1);
    }

    private void waitsForItsTime() {
        submit("far", "", Duration.ofDays(1));
        assertThat(admin.reschedule(queue, "far", Duration.ofDays(2)).done()).isTrue();
        assertThat(admin.cancel(queue, "far").done()).isTrue();
    }

    private void isCancelledWhileItRuns() {
        submit("hung", "hang", Duration.ZERO);
        await("hung", JobState.RESERVED);
        assertThat(admin.cancel(queue, "hung").done()).isTrue();
        await("hung", JobState.CANCELLED);
    }

    private void standsAloneByItsKey() {
        for (Dedupe dedupe : List.of(
                Dedupe.untilFinished("k"),
                Dedupe.untilStarted("k").replacing(),
                Dedupe.untilStarted("k").postponing(),
                Dedupe.within("w", Duration.ofMillis(1)),
                Dedupe.within("w", Duration.ofMillis(1)))) {
            producer.submitDelayJob(
                    DelayJobRequest.of(TaskJob.class, new Task("")).withDedupe(dedupe), Duration.ofMillis(300));
        }
    }

    private void isLeftToOthers() {
        producer.submitDelayJob(
                DelayJobRequest.toTopic("unknown", new Task(""))
                        .withId("unknown")
                        .withQueue(queue),
                Duration.ZERO);
        await("unknown", JobState.DEAD);
    }

    private void isLookedAt() {
        admin.pause(queue);
        submit("paused", "", Duration.ZERO);
        assertThat(admin.explain(queue, "paused").reason()).isEqualTo(Explanation.Reason.PAUSED);
        admin.resume(queue);
        await("paused", JobState.COMPLETED);
        JobQuery finished = JobQuery.of(queue, JobState.COMPLETED).withLimit(1);
        assertThat(admin.list(finished.after(admin.list(finished).next())).jobs())
                .hasSize(1);
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertThat(admin.nodes(queue)).isNotEmpty());
        assertThat(admin.counts(queue).finished()).isPositive();
    }
}

package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.Explanation;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.JobState;
import io.delayjob.NodeSnapshot;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.spring.autoconfigure.DelayJobHealthAutoConfiguration;
import io.delayjob.spring.internal.metrics.QueueGauges;
import io.delayjob.testing.RealRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A node that has no beans or listeners leaves all jobs to those who have, or claim. */
@RealRedis
@ExtendWith(OutputCaptureExtension.class)
class NodeWithoutHandlersIT {

    private static final Duration NO_HANDLER_TIMEOUT = Duration.ofSeconds(1);

    private final String queue = TestApplication.queue();
    private final ApplicationContextRunner runner = TestApplication.runner(queue)
            .withConfiguration(AutoConfigurations.of(DelayJobHealthAutoConfiguration.class))
            .withPropertyValues(
                    "delayjob.no-handler-timeout=" + NO_HANDLER_TIMEOUT.toMillis(),
                    // The job of the tests waits for longer: that is the business of those who run it.
                    "delayjob.health.max-overdue=100ms",
                    "delayjob.health.timeout=1m");

    private static DelayJobRequest<?> job() {
        return DelayJobRequest.toTopic("thumbnail", "cat.png").withId("a");
    }

    @Test
    void leavesAJobToAWorkerElsewhereHoweverLateItComes(CapturedOutput output) {
        runner.run(context -> {
            DelayJobAdmin admin = context.getBean(DelayJobAdmin.class);
            DelayJobClaims claims = context.getBean(DelayJobClaims.class);
            context.getBean(DelayJobProducer.class).submitDelayJob(job(), Duration.ZERO);
            await().during(NO_HANDLER_TIMEOUT.multipliedBy(3))
                    .untilAsserted(() -> assertThat(admin.find(queue, "a")).hasValueSatisfying(job -> {
                        assertThat(job.state()).isEqualTo(JobState.READY);
                        assertThat(job.lastError()).isNull();
                    }));
            assertThat(admin.explain(queue, "a").reason()).isEqualTo(Explanation.Reason.NO_CONSUMER);
            assertThat(admin.nodes(queue)).isEmpty();
            assertThat(admin.unconsumedQueues()).containsKey(queue);
            assertThat(context.getBean(HealthIndicator.class).health())
                    .extracting(Health::getStatus)
                    .isEqualTo(Status.UP);

            List<ClaimedJob> claimed = claims.claim(JobClaim.of(queue));
            assertThat(claimed).singleElement().satisfies(job -> {
                assertThat(job.id()).isEqualTo("a");
                assertThat(job.attempt()).isEqualTo(1);
            });
            assertThat(claims.settle(
                            List.of(new JobSettlement.Complete(claimed.get(0).handle(), null))))
                    .containsExactly(true);
            await().untilAsserted(() -> assertThat(admin.nodes(queue))
                    .extracting(NodeSnapshot::claims)
                    .containsExactly(true));
        });
        assertThat(output).containsOnlyOnce("has no beans or listeners for jobs: it consumes no queue");
    }

    @Test
    void measuresHowTheJobsStandAndNothingOfItself() {
        runner.run(context -> {
            context.getBean(DelayJobProducer.class).submitDelayJob(job(), Duration.ZERO);
            SimpleMeterRegistry meters = new SimpleMeterRegistry();
            new QueueGauges(context.getBean(DelayJobEngine.class)).bindTo(meters);
            await().until(() -> meters.get("delayjob.jobs")
                            .tags("queue", queue, "state", "ready")
                            .gauge()
                            .value()
                    == 1);
            assertThat(meters.find("delayjob.workers").gauge()).isNull();
        });
    }

    @Test
    void doesNotDelayANodeWithTheHandler() {
        runner.run(without -> TestApplication.runner(queue)
                .withBean(ParcelJob.class)
                .run(with -> {
                    assertThat(without.getBean(DelayJobAdmin.class).nodes(queue))
                            .hasSizeLessThanOrEqualTo(1);
                    with.getBean(DelayJobProducer.class)
                            .submitDelayJob(ParcelJob.class, new Parcel("x", 1), Duration.ZERO);
                    with.getBean(Inbox.class).awaitExactly(new Parcel("x", 1));
                    // It says so itself, again and again.
                    await().untilAsserted(() -> assertThat(
                                    without.getBean(DelayJobAdmin.class).nodes(queue))
                            .hasSize(1));
                }));
    }
}

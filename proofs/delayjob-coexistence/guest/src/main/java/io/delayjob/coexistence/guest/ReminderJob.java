package io.delayjob.coexistence.guest;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobProducer;
import io.delayjob.JobExecution;
import io.delayjob.coexistence.host.HostApplication;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Lazy;

/** Submits itself when the application has started, and says when it has run. */
public class ReminderJob implements DelayJob<String>, ApplicationRunner {

    private final DelayJobProducer producer;
    private final CountDownLatch ran = new CountDownLatch(1);

    ReminderJob(@Lazy DelayJobProducer producer) {
        this.producer = producer;
    }

    @Override
    public void run(ApplicationArguments args) throws InterruptedException {
        producer.submitDelayJob(ReminderJob.class, "tea", Duration.ofMillis(100));
        HostApplication.say("job", ran.await(2, TimeUnit.MINUTES) ? "ran" : "did not run");
    }

    @Override
    public void execute(JobExecution<String> execution) {
        ran.countDown();
    }
}

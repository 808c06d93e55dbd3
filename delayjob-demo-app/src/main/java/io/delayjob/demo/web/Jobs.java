package io.delayjob.demo.web;

import io.delayjob.ActionResult;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobProducer;
import io.delayjob.Explanation;
import io.delayjob.JobSnapshot;
import io.delayjob.spring.autoconfigure.DelayJobProperties;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The jobs of the default queue. */
@Component
final class Jobs {

    private static final Logger log = LoggerFactory.getLogger(Jobs.class);

    private final DelayJobProducer producer;
    private final DelayJobAdmin admin;
    private final String queue;

    Jobs(DelayJobProducer producer, DelayJobAdmin admin, DelayJobProperties properties) {
        this.producer = producer;
        this.admin = admin;
        this.queue = properties.defaultQueue();
    }

    String queue() {
        return queue;
    }

    Submitted submit(Submission submission) {
        Delay delay = submission.delay();
        String id = producer.submitDelayJob(submission.toRequest(), delay.amount(), delay.unit());
        log.info("job {} submitted: due in {}, {}", id, delay, submission.param());
        Instant dueAt = dueAt(id).orElseGet(() -> delay.fromNow().truncatedTo(ChronoUnit.MILLIS));
        return new Submitted("success", id, queue, dueAt);
    }

    private Optional<Instant> dueAt(String id) {
        try {
            return find(id).map(JobSnapshot::dueAt);
        } catch (DelayJobException e) {
            // Redis has the job: that is what the caller must learn.
            return Optional.empty();
        }
    }

    Optional<JobSnapshot> find(String id) {
        return admin.find(queue, id);
    }

    ActionResult cancel(String id) {
        ActionResult result = admin.cancel(queue, id);
        log.info("cancel of job {}: {}", id, result);
        return result;
    }

    Explanation explain(String id) {
        return admin.explain(queue, id);
    }
}

package io.delayjob.demo.order;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.DelayJobListener;
import io.delayjob.JobExecution;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** A job as a method that acknowledges by hand: the mail service answers later, on a thread of its own. */
@Component
class Receipts {

    private static final Logger log = LoggerFactory.getLogger(Receipts.class);

    private final MailService mails;

    Receipts(MailService mails) {
        this.mails = mails;
    }

    @DelayJobListener(topic = "receipt", queue = "mails", ackMode = AckMode.MANUAL, concurrency = "${demo.mails:4}")
    void send(Receipt receipt, JobExecution<Receipt> execution, Acknowledgment acknowledgment) {
        mails.send("receipt of order " + receipt.orderId(), execution.attempt()).whenComplete((sent, failure) -> {
            if (failure != null) {
                acknowledgment.retry(Duration.ofSeconds(1));
            } else {
                log.info("order {}: its receipt was mailed in attempt {}", receipt.orderId(), execution.attempt());
                acknowledgment.acknowledge();
            }
        });
    }
}

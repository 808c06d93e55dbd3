package io.delayjob.demo.order;

import io.delayjob.DelayJobListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** A job as a method: reminds customers. */
@Component
class PaymentReminders {

    private static final Logger log = LoggerFactory.getLogger(PaymentReminders.class);

    @DelayJobListener(topic = "payment-reminder", maxAttempts = "5", timeToLive = "10m")
    void remind(PaymentReminder reminder) {
        log.info("order {} is still unpaid: its customer is reminded", reminder.orderId());
    }
}

package shop;

import io.delayjob.DelayJobListener;
import io.delayjob.JobExecution;
import org.springframework.stereotype.Component;

/** Reminds customers of orders that are still unpaid. */
@Component
class Reminders {

    private final Orders orders;

    Reminders(Orders orders) {
        this.orders = orders;
    }

    @DelayJobListener(topic = "remind", queue = "shop")
    void remind(CloseOrder order, JobExecution<CloseOrder> execution) {
        orders.remind(order);
        execution.result(order);
    }
}

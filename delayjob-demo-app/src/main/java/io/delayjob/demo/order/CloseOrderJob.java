package io.delayjob.demo.order;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobPolicy;
import io.delayjob.JobBackoff;
import io.delayjob.JobExecution;
import org.springframework.stereotype.Component;

/** A job as a class: closes an order if it is unpaid. */
@Component
@DelayJobName("close-order")
@DelayJobPolicy(maxAttempts = "8", backoff = @JobBackoff(initial = "1s", max = "1m"))
public class CloseOrderJob implements DelayJob<CloseOrder> {

    private final Orders orders;

    CloseOrderJob(Orders orders) {
        this.orders = orders;
    }

    @Override
    public void execute(JobExecution<CloseOrder> execution) {
        orders.closeIfUnpaid(execution.param().orderId());
    }
}

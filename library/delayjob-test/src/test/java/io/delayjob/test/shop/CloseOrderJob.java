package io.delayjob.test.shop;

import io.delayjob.DelayJob;
import io.delayjob.JobExecution;
import org.springframework.stereotype.Component;

@Component
class CloseOrderJob implements DelayJob<CloseOrder> {

    private final Orders orders;

    CloseOrderJob(Orders orders) {
        this.orders = orders;
    }

    @Override
    public void execute(JobExecution<CloseOrder> execution) {
        orders.closeIfUnpaid(execution.param().orderId());
    }
}

package shop;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobQueue;
import io.delayjob.JobExecution;
import org.springframework.stereotype.Component;

/** Closes an order that is still unpaid. The class would be the same with delayjob's starter for Redis. */
@Component
@DelayJobName("close-order")
@DelayJobQueue("shop")
class CloseOrderJob implements DelayJob<CloseOrder> {

    private final Orders orders;

    CloseOrderJob(Orders orders) {
        this.orders = orders;
    }

    @Override
    public void execute(JobExecution<CloseOrder> execution) {
        orders.close(execution.param(), execution.attempt());
    }
}

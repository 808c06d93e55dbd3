package io.delayjob.redisson.migration;

import java.util.concurrent.TimeUnit;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RedissonClient;

/** Before: a bare RDelayedQueue in front of a blocking queue. */
@SuppressWarnings("deprecation")
class OldOrders {

    private final RBlockingQueue<CloseOrder> due;
    private final RDelayedQueue<CloseOrder> delayed;

    OldOrders(RedissonClient redisson) {
        due = redisson.getBlockingQueue("orders-to-close");
        delayed = redisson.getDelayedQueue(due);
    }

    void place(String orderId) {
        delayed.offer(new CloseOrder(orderId), 30, TimeUnit.MINUTES);
    }

    void run(Orders orders) throws InterruptedException {
        while (true) {
            orders.closeIfUnpaid(due.take().orderId());
        }
    }
}

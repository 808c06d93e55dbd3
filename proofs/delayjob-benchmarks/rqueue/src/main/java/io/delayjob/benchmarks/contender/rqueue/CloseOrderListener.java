package io.delayjob.benchmarks.contender.rqueue;

import com.github.sonus21.rqueue.annotation.RqueueListener;
import com.github.sonus21.rqueue.core.RqueueMessage;
import com.github.sonus21.rqueue.listener.RqueueMessageHeaders;
import io.delayjob.benchmarks.contender.Work;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;

/** Runs the jobs. */
final class CloseOrderListener {

    static final String QUEUE = "orders";
    private static final String CONCURRENCY = "${benchmarks.workers}";
    private static final String RETRIES = "3";

    private final Work work;

    CloseOrderListener(Work work) {
        this.work = work;
    }

    @RqueueListener(value = QUEUE, concurrency = CONCURRENCY, numRetries = RETRIES)
    void close(@Payload CloseOrder order, @Header(RqueueMessageHeaders.MESSAGE) RqueueMessage message)
            throws Exception {
        work.run(order.id(), order.dueMillis(), message.getFailureCount() + 1);
    }
}

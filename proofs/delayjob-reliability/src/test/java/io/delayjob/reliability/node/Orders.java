package io.delayjob.reliability.node;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Places orders from some threads, as an application does: a row of its own table {@code orders} and a job of the same id, in one
 * transaction. A fifth of them are rolled back. So a job must run if and only if the table has its id.
 */
final class Orders {

    private static final Logger log = LoggerFactory.getLogger(Orders.class);
    private static final int THREADS = 3;
    private static final double ROLLED_BACK = 0.2;
    private static final double FAILING = 0.1;
    private static final int MAX_DELAY_MILLIS = 1500;
    private static final int MAX_WORK_MILLIS = 20;
    private static final int MAX_PAUSE_MILLIS = 40;

    private final Journal journal;
    private final DelayJobProducer producer;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final String node;
    private final int count;

    /**
     * Places nothing until the application is ready.
     *
     * @param node beginning of the ids, and the seed
     * @param count how many orders each thread places
     */
    Orders(
            Journal journal,
            DelayJobProducer producer,
            JdbcTemplate jdbc,
            TransactionTemplate transaction,
            String node,
            int count) {
        this.journal = journal;
        this.producer = producer;
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.node = node;
        this.count = count;
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        IntStream.range(0, THREADS).forEach(number -> {
            Thread thread = new Thread(() -> place(node + "-order-" + number), "orders-" + number);
            thread.setDaemon(true);
            thread.start();
        });
    }

    private void place(String prefix) {
        Random random = new Random(prefix.hashCode());
        try {
            for (int i = 0; i < count; i++) {
                place(prefix + "-" + i, random);
                Thread.sleep(random.nextInt(MAX_PAUSE_MILLIS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        journal.write(Journal.Kind.PLACED, prefix, 0, 0);
    }

    private void place(String id, Random random) {
        Work work = new Work(random.nextInt(MAX_WORK_MILLIS), random.nextDouble() < FAILING ? 1 : 0);
        Duration delay = Duration.ofMillis(random.nextInt(MAX_DELAY_MILLIS));
        boolean rolledBack = random.nextDouble() < ROLLED_BACK;
        journal.write(Journal.Kind.ORDERED, id, 0, System.currentTimeMillis() + delay.toMillis());
        try {
            transaction.executeWithoutResult(status -> {
                jdbc.update("INSERT INTO orders (id) VALUES (?)", id);
                producer.submit(DelayJobRequest.of(WorkJob.class, work).withId(id), delay);
                if (rolledBack) {
                    status.setRollbackOnly();
                }
            });
        } catch (RuntimeException e) {
            // Whether it has committed is in the table.
            log.warn("order {} failed: {}", id, e.toString());
        }
    }
}

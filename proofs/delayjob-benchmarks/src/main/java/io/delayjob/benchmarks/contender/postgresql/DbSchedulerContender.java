package io.delayjob.benchmarks.contender.postgresql;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.FailureHandler.OnFailureRetryLater;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.delayjob.benchmarks.contender.Contender;
import io.delayjob.benchmarks.contender.Job;
import io.delayjob.benchmarks.contender.PlacedOrders;
import io.delayjob.benchmarks.contender.Store;
import io.delayjob.benchmarks.contender.Work;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * db-scheduler, set up as its page on performance has it: due executions are locked and fetched in one statement, many times as
 * many as there are threads. It looks for due executions every 100 ms; by default it would every 10 s.
 */
@SuppressWarnings("try")
public final class DbSchedulerContender implements Contender {

    private static final TaskDescriptor<ScheduledJob> TASK = TaskDescriptor.of("close-order", ScheduledJob.class);
    private static final Duration POLLING_INTERVAL = Duration.ofMillis(100);
    private static final Duration BACKOFF = Duration.ofMillis(1);
    private static final double LOWER_LIMIT = 4;
    private static final double UPPER_LIMIT = 20;

    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS scheduled_tasks (
                task_name TEXT NOT NULL,
                task_instance TEXT NOT NULL,
                task_data BYTEA,
                execution_time TIMESTAMPTZ,
                picked BOOLEAN NOT NULL,
                picked_by TEXT,
                last_success TIMESTAMPTZ,
                last_failure TIMESTAMPTZ,
                consecutive_failures INT,
                last_heartbeat TIMESTAMPTZ,
                version BIGINT NOT NULL,
                priority SMALLINT,
                state TEXT,
                PRIMARY KEY (task_name, task_instance));
            CREATE INDEX IF NOT EXISTS execution_time_idx ON scheduled_tasks (execution_time);
            CREATE INDEX IF NOT EXISTS last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
            """;

    private final Database database;
    private final SchedulerClient client;
    private final @Nullable PlacedOrders orders;
    private @Nullable Scheduler scheduler;

    /** With the option {@code outbox} every submit is part of a transaction, in the way of its Spring starter. */
    public DbSchedulerContender(Store store, Map<String, String> options) throws SQLException {
        this.database = new Database(store, Scheduler.class);
        database.execute(TABLE);
        this.orders = options.containsKey("outbox") ? new PlacedOrders(database.dataSource()) : null;
        this.client = SchedulerClient.Builder.create(
                        orders == null
                                ? database.dataSource()
                                : new TransactionAwareDataSourceProxy(database.dataSource()))
                .build();
    }

    @Override
    public Map<String, String> settings() {
        Map<String, String> settings = database.settings();
        settings.put("polling", "lock-and-fetch, %s to %s times the threads".formatted(LOWER_LIMIT, UPPER_LIMIT));
        settings.put("pollingInterval", POLLING_INTERVAL.toMillis() + " ms");
        return settings;
    }

    @Override
    public void submit(Job job) throws Exception {
        if (orders == null) {
            schedule(job);
        } else {
            orders.place(List.of(job), () -> schedule(job));
        }
    }

    private void schedule(Job job) {
        client.scheduleIfNotExists(instance(job), Instant.ofEpochMilli(job.dueMillis()));
    }

    @Override
    public void submitAll(List<Job> jobs) throws Exception {
        if (orders == null) {
            scheduleAll(jobs);
        } else {
            orders.place(jobs, () -> scheduleAll(jobs));
        }
    }

    private void scheduleAll(List<Job> jobs) {
        Stream<SchedulableInstance<?>> instances =
                jobs.stream().map(job -> SchedulableInstance.of(instance(job), Instant.ofEpochMilli(job.dueMillis())));
        client.scheduleBatch(instances);
    }

    private static TaskInstance<ScheduledJob> instance(Job job) {
        return TASK.instance(job.id())
                .data(new ScheduledJob(job.dueMillis(), job.payload()))
                .build();
    }

    @Override
    public void consume(int workers, Work work) {
        OneTimeTask<ScheduledJob> task = Tasks.oneTime(TASK)
                .onFailure(new OnFailureRetryLater<>(BACKOFF))
                .execute((instance, context) -> run(instance, context, work));
        Scheduler started = Scheduler.create(database.dataSource(), task)
                .threads(workers)
                .pollingInterval(POLLING_INTERVAL)
                .pollUsingLockAndFetch(LOWER_LIMIT, UPPER_LIMIT)
                .build();
        started.start();
        scheduler = started;
    }

    private static void run(TaskInstance<ScheduledJob> instance, ExecutionContext context, Work work) {
        int attempt = context.getExecution().consecutiveFailures + 1;
        try {
            work.run(instance.getId(), instance.getData().dueMillis(), attempt);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (scheduler != null) {
            scheduler.stop();
        }
        database.close();
    }
}

package io.delayjob.benchmarks.contender.postgresql;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

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
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration;
import org.jobrunr.scheduling.JobBuilder;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jspecify.annotations.Nullable;

/**
 * JobRunr with requests and handlers, which it runs without analysing lambdas. It looks for due jobs every 5 s, the shortest that
 * it allows with a database; by default it would every 15 s.
 */
@SuppressWarnings("try")
public final class JobRunrContender implements Contender {

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

    private final Database database;
    private final PostgresStorageProvider storage;
    private final @Nullable PlacedOrders orders;
    private JobRequestScheduler scheduler;

    /**
     * With the option {@code outbox} every submit follows a transaction with an order: its free edition commits jobs by themselves, on a
     * connection of its own.
     */
    public JobRunrContender(Store store, Map<String, String> options) throws SQLException {
        this.database = new Database(store, JobRunr.class);
        this.orders = options.containsKey("outbox") ? new PlacedOrders(database.dataSource()) : null;
        this.storage = new PostgresStorageProvider(database.dataSource());
        this.scheduler = configuration().initialize().getJobRequestScheduler();
    }

    private JobRunrConfiguration configuration() {
        return JobRunr.configure().useStorageProvider(storage);
    }

    @Override
    public Map<String, String> settings() {
        Map<String, String> settings = database.settings();
        settings.put("pollInterval", POLL_INTERVAL.toSeconds() + " s");
        return settings;
    }

    @Override
    public void submit(Job job) throws Exception {
        if (orders == null) {
            schedule(job);
        } else {
            orders.placeBefore(List.of(job), () -> schedule(job));
        }
    }

    private void schedule(Job job) {
        scheduler.schedule(Instant.ofEpochMilli(job.dueMillis()), request(job));
    }

    @Override
    public void submitAll(List<Job> jobs) throws Exception {
        if (orders == null) {
            scheduleAll(jobs);
        } else {
            orders.placeBefore(jobs, () -> scheduleAll(jobs));
        }
    }

    private void scheduleAll(List<Job> jobs) {
        scheduler.create(jobs.stream()
                .map(job -> JobBuilder.aJob()
                        .scheduleAt(Instant.ofEpochMilli(job.dueMillis()))
                        .withJobRequest(request(job))));
    }

    private static CloseOrderRequest request(Job job) {
        return new CloseOrderRequest(job.id(), job.dueMillis(), job.payload());
    }

    @Override
    public void consume(int workers, Work work) {
        scheduler = configuration()
                .useJobActivator(activator(new CloseOrderHandler(work)))
                .useBackgroundJobServer(usingStandardBackgroundJobServerConfiguration()
                        .andPollInterval(POLL_INTERVAL)
                        .andWorkerCount(workers))
                .initialize()
                .getJobRequestScheduler();
    }

    private static JobActivator activator(CloseOrderHandler handler) {
        return new JobActivator() {
            @Override
            public <T> T activateJob(Class<T> type) {
                return type.cast(handler);
            }
        };
    }

    @Override
    public void close() {
        JobRunr.destroy();
        database.close();
    }
}

package io.delayjob.benchmarks.contender.redisson;

import io.delayjob.benchmarks.contender.Contender;
import io.delayjob.benchmarks.contender.Job;
import io.delayjob.benchmarks.contender.Store;
import io.delayjob.benchmarks.contender.Work;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RScheduledExecutorService;
import org.redisson.api.RedissonClient;
import org.redisson.api.WorkerOptions;

/** Redisson's {@link RScheduledExecutorService}; it does not retry a task that fails. */
@SuppressWarnings("try")
public final class ScheduledExecutorContender implements Contender {

    private final RedissonClient redisson;
    private final RScheduledExecutorService executor;

    public ScheduledExecutorContender(Store store) {
        this.redisson = Clients.open(store);
        this.executor = redisson.getExecutorService("orders");
    }

    @Override
    public Map<String, String> settings() {
        return Map.of("codec", redisson.getConfig().getCodec().getClass().getSimpleName());
    }

    @Override
    public void submit(Job job) {
        executor.schedule(
                new PlainTask(job.id(), job.dueMillis(), job.payload()),
                Clients.delay(job.dueMillis()),
                TimeUnit.MILLISECONDS);
    }

    /** One after the other: a future of the executor tells when a task has run, not when it is stored. */
    @Override
    public void submitAll(List<Job> jobs) {
        jobs.forEach(this::submit);
    }

    @Override
    public void consume(int workers, Work work) {
        TaskWork.set(work);
        executor.registerWorkers(WorkerOptions.defaults().workers(workers));
    }

    @Override
    public void close() {
        redisson.shutdown();
    }
}

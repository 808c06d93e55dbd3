package io.delayjob.benchmarks.contender.delayjob;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.benchmarks.contender.Contender;
import io.delayjob.benchmarks.contender.Job;
import io.delayjob.benchmarks.contender.Work;
import io.delayjob.client.HttpDelayJobClaims;
import io.delayjob.client.HttpDelayJobProducer;
import io.delayjob.client.HttpDelayJobSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * delayjob over HTTP: a process without Redis, whose workers claim and settle at a server that runs already. Its options are {@code
 * server} and {@code token}, and {@code batch}: how many jobs a worker claims, and settles, with a request.
 */
@SuppressWarnings("try") // close may be interrupted; nobody closes one with an interrupt pending
public final class HttpContender implements Contender {

    private static final String QUEUE = "orders";
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    private final int batch;
    private final HttpDelayJobProducer producer;
    private final HttpDelayJobClaims claims;
    private final List<Thread> workers = new ArrayList<>();
    private volatile boolean closed;

    /** A worker of a server. */
    public HttpContender(Map<String, String> options) {
        HttpDelayJobSettings settings = HttpDelayJobSettings.of(given(options, "server"), given(options, "token"))
                .withQueue(QUEUE);
        this.batch = Integer.parseInt(given(options, "batch"));
        this.producer = new HttpDelayJobProducer(settings);
        this.claims = new HttpDelayJobClaims(settings);
    }

    private static String given(Map<String, String> options, String name) {
        return Objects.requireNonNull(options.get(name), name);
    }

    @Override
    public Map<String, String> settings() {
        return Map.of("over", "HTTP", "jobs of a request", Integer.toString(batch));
    }

    @Override
    public void submit(Job job) {
        producer.submit(request(job), Instant.ofEpochMilli(job.dueMillis()));
    }

    @Override
    public void submitAll(List<Job> jobs) {
        Map<String, Instant> dueTimes =
                jobs.stream().collect(Collectors.toMap(Job::id, job -> Instant.ofEpochMilli(job.dueMillis())));
        List<DelayJobRequest<CloseOrder>> requests = new ArrayList<>(jobs.size());
        jobs.forEach(job -> requests.add(request(job)));
        producer.submitAllAt(requests, request -> Objects.requireNonNull(dueTimes.get(request.id())));
    }

    private static DelayJobRequest<CloseOrder> request(Job job) {
        return DelayJobRequest.toTopic("close-order", new CloseOrder(job.dueMillis(), job.payload()))
                .withId(job.id());
    }

    /** Each worker claims when it has settled what it claimed before. */
    @Override
    public void consume(int count, Work work) {
        for (int i = 0; i < count; i++) {
            Thread worker = new Thread(() -> claimUntilClosed(work), "worker-" + i);
            worker.setDaemon(true);
            workers.add(worker);
            worker.start();
        }
    }

    private void claimUntilClosed(Work work) {
        JobClaim claim = JobClaim.of(QUEUE).withMax(batch).withMaxWait(LONGEST_WAIT);
        try {
            while (!closed) {
                List<JobSettlement> settlements = new ArrayList<>();
                for (ClaimedJob job : claims.claim(claim)) {
                    settlements.add(settlement(work, job));
                }
                claims.settle(settlements);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static JobSettlement settlement(Work work, ClaimedJob job) throws InterruptedException {
        try {
            work.run(job.id(), JSON.readValue(job.param(), CloseOrder.class).dueMillis(), job.attempt());
            return new JobSettlement.Complete(job.handle(), null);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return new JobSettlement.Retry(job.handle(), null, e.toString());
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        workers.forEach(Thread::interrupt);
        for (Thread worker : workers) {
            worker.join();
        }
    }
}

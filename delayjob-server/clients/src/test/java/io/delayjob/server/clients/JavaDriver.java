package io.delayjob.server.clients;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.client.HttpDelayJobClaims;
import io.delayjob.client.HttpDelayJobProducer;
import io.delayjob.client.HttpDelayJobSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The {@link Driver} of the Java client. The client has no worker, so it has a small one of its own. */
final class JavaDriver {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();
    private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor();

    private HttpDelayJobSettings settings;
    private Worker worker;

    private JavaDriver() {}

    public static void main(String[] none) throws IOException {
        JavaDriver driver = new JavaDriver();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonNode command = JSON.readTree(line);
            Future<?> obeyed = THREADS.submit(() -> driver.obey(command));
            if (!command.path("do").asString().equals("work")) {
                await(obeyed);
            }
        }
        System.exit(0);
    }

    private static void await(Future<?> obeyed) {
        try {
            obeyed.get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static synchronized void tell(String event, Map<String, ?> values) {
        Map<String, Object> line = new HashMap<>(values);
        line.put("event", event);
        System.out.println(JSON.writeValueAsString(line));
    }

    private void obey(JsonNode command) {
        String name = command.path("do").asString();
        try {
            tell(name, answer(name, command));
        } catch (Exception e) {
            tell(name, Map.of("error", String.valueOf(e.getMessage())));
        }
    }

    private Map<String, ?> answer(String name, JsonNode command) throws Exception {
        switch (name) {
            case "connect" ->
                settings = HttpDelayJobSettings.of(
                                command.path("url").asString(),
                                command.path("token").asString())
                        .withTimeout(millis(command, "timeoutMs"));
            case "submit" -> {
                return submit(command.path("queue").asString(), command.path("job"));
            }
            case "work" -> {
                worker = new Worker(command);
                worker.run();
            }
            case "stop" -> worker.stop();
            default -> throw new IllegalArgumentException(name);
        }
        return Map.of();
    }

    private Map<String, ?> submit(String queue, JsonNode job) {
        DelayJobRequest<?> request = DelayJobRequest.toTopic(job.path("topic").asString(), job.get("param"))
                .withQueue(queue);
        if (job.has("id")) {
            request = request.withId(job.path("id").asString());
        }
        var result = new HttpDelayJobProducer(settings)
                .submit(request, Duration.parse(job.path("delay").asString()));
        return Map.of("id", result.id(), "outcome", result.outcome());
    }

    private static Duration millis(JsonNode command, String name) {
        return Duration.ofMillis(command.path(name).asLong());
    }

    /** Claims and runs the jobs of a queue until it is stopped. */
    private final class Worker {

        private final HttpDelayJobClaims claims = new HttpDelayJobClaims(settings);
        private final ExecutorService runs = Executors.newCachedThreadPool();
        private final String queue;
        private final int concurrency;
        private final Duration wait;
        private final Duration grace;
        private final Semaphore slots;
        private final Thread claimer = Thread.currentThread();
        private volatile boolean stopped;

        Worker(JsonNode command) {
            queue = command.path("queue").asString();
            concurrency = command.path("concurrency").asInt();
            wait = millis(command, "waitMs");
            grace = millis(command, "graceMs");
            slots = new Semaphore(concurrency);
        }

        void stop() {
            stopped = true;
            claimer.interrupt();
        }

        void run() throws InterruptedException {
            try {
                while (true) {
                    slots.acquire();
                    int free = 1 + slots.drainPermits();
                    List<ClaimedJob> jobs = claims.claim(JobClaim.of(queue)
                            .withMax(free)
                            .withMaxWait(wait)
                            .withId(UUID.randomUUID().toString()));
                    slots.release(free - jobs.size());
                    jobs.forEach(job -> runs.execute(() -> run(job)));
                }
            } catch (InterruptedException e) {
                endRuns();
            }
        }

        private void endRuns() throws InterruptedException {
            runs.shutdown();
            if (!runs.awaitTermination(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                runs.shutdownNow();
                runs.awaitTermination(1, TimeUnit.MINUTES);
            }
        }

        private void run(ClaimedJob job) {
            Thread thread = Thread.currentThread();
            Duration lease = job.options().lease();
            long period = lease.toMillis() / 3;
            Future<?> extending = TIMER.scheduleAtFixedRate(
                    () -> claims.settleAsync(List.of(new JobSettlement.Extend(job.handle(), lease)))
                            .thenAccept(applied -> {
                                if (!applied.get(0)) {
                                    thread.interrupt();
                                }
                            }),
                    period,
                    period,
                    TimeUnit.MILLISECONDS);
            JobSettlement settlement = settlement(job);
            extending.cancel(false);
            claims.settle(List.of(settlement));
            slots.release();
        }

        private JobSettlement settlement(ClaimedJob job) {
            try {
                handle(job);
                return new JobSettlement.Complete(job.handle(), null);
            } catch (InterruptedException e) {
                return stopped
                        ? new JobSettlement.Release(job.handle())
                        : new JobSettlement.Retry(job.handle(), null, "interrupted");
            }
        }

        private static void handle(ClaimedJob job) throws InterruptedException {
            JsonNode param = JSON.readTree(job.param());
            if (job.topic().equals("greet")) {
                tell("ran", Map.of("id", job.id(), "attempt", job.attempt(), "param", param));
                return;
            }
            tell("began", Map.of("id", job.id(), "attempt", job.attempt()));
            boolean aborted = true;
            try {
                Thread.sleep(param.asLong());
                aborted = false;
            } finally {
                tell("ended", Map.of("id", job.id(), "aborted", aborted));
            }
        }
    }
}

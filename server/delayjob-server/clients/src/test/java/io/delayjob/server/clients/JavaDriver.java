package io.delayjob.server.clients;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobRequest;
import io.delayjob.client.HttpDelayJobProducer;
import io.delayjob.client.HttpDelayJobSettings;
import io.delayjob.client.HttpDelayJobWorker;
import io.delayjob.client.WorkerJob;
import io.delayjob.client.WorkerSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The {@link Driver} of the Java client. */
final class JavaDriver {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();

    private HttpDelayJobSettings settings;
    private HttpDelayJobWorker worker;

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
                worker = worker(command);
                worker.run();
            }
            case "stop" -> worker.close();
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

    private HttpDelayJobWorker worker(JsonNode command) {
        WorkerSettings its = WorkerSettings.of(command.path("queue").asString())
                .withConcurrency(command.path("concurrency").asInt())
                .withMaxWait(millis(command, "waitMs"))
                .withGrace(millis(command, "graceMs"));
        return new HttpDelayJobWorker(settings, its, JavaDriver::handle);
    }

    private static void handle(WorkerJob work) throws InterruptedException {
        ClaimedJob job = work.claimed();
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

package io.delayjob.benchmarks.driver;

import io.delayjob.testing.JarProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The server as its users start it, in a JVM of its own, on a Redis that was started for it. */
public final class JobServer implements AutoCloseable {

    /** The token of those who ask it. */
    public static final String TOKEN = "a-token-of-the-benchmarks";

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    /** The most jobs of a request. */
    private static final int AT_ONCE = 1000;

    private final JarProcess process;
    private final String url;

    private JobServer(JarProcess process) {
        this.process = process;
        this.url = process.url();
    }

    /**
     * Resource usage of the server.
     *
     * @param heapBytes of objects in use
     * @param residentBytes memory of the process; 0 if this system does not say it
     * @param threads of its JVM
     * @param cpuSeconds processor time since it started
     */
    public record Usage(double heapBytes, double residentBytes, double threads, double cpuSeconds) {}

    /** Starts it, and waits until it is ready. */
    public static JobServer start(RunningStore redis, Path log) {
        return start(redis, log, Map.of());
    }

    /** Starts it with properties of its own, and waits until it is ready. */
    public static JobServer start(RunningStore redis, Path log, Map<String, String> properties) {
        Map<String, String> all = new TreeMap<>(properties);
        all.put("delayjob.redis.url", redis.store().url());
        all.put("delayjob.server.admin-token", TOKEN);
        return new JobServer(JarProcess.start(
                Objects.requireNonNull(log.toAbsolutePath().getParent()),
                Programs.SERVER,
                Programs.JVM,
                all.entrySet().stream()
                        .map(one -> "--" + one.getKey() + "=" + one.getValue())
                        .toList()));
    }

    /** Its address. */
    public URI url() {
        return URI.create(url);
    }

    /** Processor time since it started. */
    public double cpuSeconds() {
        return process.handle()
                .info()
                .totalCpuDuration()
                .map(cpu -> cpu.toNanos() / 1e9)
                .orElse(0.0);
    }

    /** Resource usage now, after a garbage collection. */
    public Usage usage() {
        collectGarbage();
        String meters = get("/actuator/prometheus");
        return new Usage(
                sum(meters, "jvm_memory_used_bytes{area=\"heap\""),
                residentBytes(),
                sum(meters, "jvm_threads_live_threads"),
                cpuSeconds());
    }

    /** The claims that wait, of all queues that have jobs, as the server last reported them to Redis. */
    public int waitingClaims() {
        return JsonMapper.shared().readTree(get("/api/v1/nodes")).findValues("workers").stream()
                .mapToInt(JsonNode::intValue)
                .sum();
    }

    /** Stores a job that is due tomorrow. */
    public void submitFar(String queue) {
        post("/queues/" + queue + "/jobs", Map.of("topic", "close-order", "delay", "PT24H"));
    }

    /** Makes dead jobs, with ids that begin with the name of the queue. */
    public void bury(String queue, int count, IntFunction<String> error) {
        for (int first = 0; first < count; first += AT_ONCE) {
            List<Map<String, String>> jobs = IntStream.range(first, Math.min(count, first + AT_ONCE))
                    .mapToObj(number -> Map.of("id", queue + "-" + number, "topic", "close-order", "delay", "PT0S"))
                    .toList();
            post("/queues/" + queue + "/jobs/batch", Map.of("jobs", jobs));
        }
        for (int dead = 0; dead < count; ) {
            JsonNode claimed = post("/queues/" + queue + "/claims", Map.of("max", AT_ONCE, "wait", "PT5S"))
                    .get("jobs");
            if (claimed.isEmpty()) {
                throw new IllegalStateException("%d of %d jobs are dead, and no other is due".formatted(dead, count));
            }
            List<Map<String, String>> settlements = new ArrayList<>();
            for (JsonNode job : claimed) {
                String handle = job.get("handle").stringValue();
                settlements.add(Map.of("handle", handle, "action", "bury", "error", error.apply(dead++)));
            }
            post("/settlements", Map.of("settlements", settlements));
        }
    }

    /** Compares the queue {@code default} with its journal; whether anything differs. */
    public boolean journalDiffers() {
        JsonNode diff = JsonMapper.shared().readTree(send(request("/api/v1/journal/diff?queue=default")));
        return !diff.get("samples").isEmpty();
    }

    /** Restores the queue {@code default}; how many jobs were put back. */
    public long restoreJournal() {
        String json = JsonMapper.shared().writeValueAsString(Map.of("queue", "default"));
        return JsonMapper.shared()
                .readTree(send(request("/api/v1/journal/restore").POST(HttpRequest.BodyPublishers.ofString(json))))
                .get("restored")
                .longValue();
    }

    /** A page of the console. */
    public String page(String path) {
        return get("/console" + path);
    }

    private JsonNode post(String path, Object body) {
        String json = JsonMapper.shared().writeValueAsString(body);
        return JsonMapper.shared()
                .readTree(send(request("/api/v1" + path).POST(HttpRequest.BodyPublishers.ofString(json))));
    }

    private void collectGarbage() {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        ProcessBuilder command =
                new ProcessBuilder(jcmd, Long.toString(process.handle().pid()), "GC.run");
        try {
            command.redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor(Waits.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private double residentBytes() {
        Path status = Path.of("/proc", Long.toString(process.handle().pid()), "status");
        try {
            return Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    private static double sum(String meters, String name) {
        return meters.lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private String get(String path) {
        return send(request(path));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path))
                .timeout(Waits.PATIENCE)
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json");
    }

    private static String send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() / 100 != 2) {
                throw new IllegalStateException(answer.statusCode() + " " + answer.body());
            }
            return answer.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException(e);
    }

    @Override
    public void close() {
        process.close();
    }
}

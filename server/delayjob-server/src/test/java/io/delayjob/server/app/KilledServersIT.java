package io.delayjob.server.app;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.testing.JarProcess;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers and twenty workers, each in a process of its own; a server and five workers are killed on the way. */
@Tag("proof")
class KilledServersIT {

    private static final int JOBS = 20_000;
    private static final int WORKERS = 20;
    private static final int KILLED = 5;
    private static final int SPREAD_SECONDS = 20;

    @TempDir
    Path folder;

    /** A line that a worker noted. */
    private record Run(String id, int attempt, long dueMillis, long atMillis) {

        static Run of(String line) {
            String[] parts = line.split(" ", -1);
            return new Run(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]));
        }
    }

    @Test
    void everyJobIsRunAndNoneEarly() throws Exception {
        try (OwnRedis redis = OwnRedis.start();
                ServerProcess first = server(redis);
                ServerProcess second = server(redis)) {
            String doomed = first.url();
            String url = second.url();
            List<Process> workers = new ArrayList<>();
            try {
                for (int i = 0; i < WORKERS; i++) {
                    workers.add(worker("w-" + i, doomed, url));
                }
                Instant start = Instant.now().plusSeconds(5);
                submit(url, start);
                await().until(() -> Instant.now().isAfter(start.plusSeconds(SPREAD_SECONDS / 3)));
                first.killNine();
                workers.subList(0, KILLED).forEach(Process::destroyForcibly);

                await().atMost(300, SECONDS)
                        .untilAsserted(() -> assertThat(
                                        ServerProcess.get(url, "/queues/orders").toString())
                                .contains("\"delayed\":0,\"ready\":0,\"reserved\":0,\"dead\":0"));
            } finally {
                workers.forEach(Process::destroyForcibly);
            }
            account(runs());
        }
    }

    private ServerProcess server(OwnRedis redis) {
        return ServerProcess.start(folder, "--delayjob.redis.url=" + redis.url(), "--delayjob.queues.orders.lease=30s");
    }

    private Process worker(String name, String... servers) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(JarProcess.SHORT_LIVED);
        command.addAll(List.of(
                "-Xmx48m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                HttpWorker.class.getName(),
                name,
                "orders",
                folder.resolve(name + ".txt").toString()));
        command.addAll(List.of(servers));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
    }

    private static void submit(String url, Instant start) {
        int batch = 1000;
        for (int from = 0; from < JOBS; from += batch) {
            String jobs = IntStream.range(from, from + batch)
                    .mapToObj(n -> "{\"id\": \"job-%d\", \"topic\": \"t\", \"dueAt\": \"%s\"}"
                            .formatted(n, start.plusMillis(n * 1000L * SPREAD_SECONDS / JOBS)))
                    .collect(Collectors.joining(","));
            ServerProcess.post(url, "/queues/orders/jobs/batch", "{\"jobs\": [" + jobs + "]}");
        }
    }

    private List<Run> runs() throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .flatMap(file -> lines(file).stream())
                    .filter(line -> line.split(" ", -1).length == 4)
                    .map(Run::of)
                    .toList();
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void account(List<Run> runs) {
        Map<String, List<Run>> byJob = new HashMap<>();
        runs.forEach(
                run -> byJob.computeIfAbsent(run.id(), id -> new ArrayList<>()).add(run));
        List<String> twice = byJob.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1)
                .map(Map.Entry::getKey)
                .toList();
        System.out.println(byJob.size() + " jobs were run, " + twice.size() + " of them more than once");

        assertThat(byJob).hasSize(JOBS);
        assertThat(runs).allSatisfy(run -> assertThat(run.atMillis()).isGreaterThanOrEqualTo(run.dueMillis()));
        // The second run of a job is another attempt: the lease of the first had ended.
        assertThat(byJob.values())
                .allSatisfy(of -> assertThat(of.stream().map(Run::attempt)).doesNotHaveDuplicates());
        assertThat(twice).hasSizeLessThan(JOBS / 20);
    }
}

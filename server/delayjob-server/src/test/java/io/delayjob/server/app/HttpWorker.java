package io.delayjob.server.app;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A worker in a process of its own. It notes each job before it completes it, goes on with the next server when one does not answer,
 * and ends when it is killed.
 */
final class HttpWorker {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
    private final List<String> servers;
    private final String queue;
    private final String name;
    private final Path notes;
    private int server;

    private HttpWorker(String name, String queue, Path notes, List<String> servers) {
        this.name = name;
        this.queue = queue;
        this.notes = notes;
        this.servers = servers;
        this.server = Math.floorMod(name.hashCode(), servers.size());
    }

    /** Takes a name, a queue, a file for notes and the servers' addresses. */
    public static void main(String[] args) throws InterruptedException {
        HttpWorker worker =
                new HttpWorker(args[0], args[1], Path.of(args[2]), List.of(args).subList(3, args.length));
        while (true) {
            worker.round();
        }
    }

    private void round() throws InterruptedException {
        try {
            JsonNode jobs = post(
                            "/queues/" + queue + "/claims",
                            "{\"max\": 20, \"wait\": \"PT5S\", \"worker\": \"" + name + "\"}")
                    .path("jobs");
            if (!jobs.isEmpty()) {
                settle(jobs);
            }
        } catch (IOException e) {
            server = (server + 1) % servers.size();
            Thread.sleep(50);
        }
    }

    private void settle(JsonNode jobs) throws IOException, InterruptedException {
        List<String> settlements = new ArrayList<>();
        StringBuilder lines = new StringBuilder();
        for (JsonNode job : jobs) {
            lines.append(job.path("id").asString())
                    .append(' ')
                    .append(job.path("attempt").asInt())
                    .append(' ')
                    .append(Instant.parse(job.path("dueAt").asString()).toEpochMilli())
                    .append(' ')
                    .append(System.currentTimeMillis())
                    .append('\n');
            settlements.add("{\"handle\": \"" + job.path("handle").asString() + "\", \"action\": \"complete\"}");
        }
        Files.writeString(notes, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        // The work. Who is killed meanwhile holds jobs that another one must get.
        Thread.sleep(100);
        String body = "{\"settlements\": [" + String.join(",", settlements) + "]}";
        try {
            post("/settlements", body);
        } catch (IOException e) {
            server = (server + 1) % servers.size();
            post("/settlements", body);
        }
    }

    private JsonNode post(String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(servers.get(server) + "/api/v1" + path))
                .timeout(Duration.ofSeconds(10))
                .header("Authorization", "Bearer " + ServerProcess.TOKEN)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + " " + answer.body());
        }
        return JSON.readTree(answer.body());
    }
}

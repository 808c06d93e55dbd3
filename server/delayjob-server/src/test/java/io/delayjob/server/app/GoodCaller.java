package io.delayjob.server.app;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A caller as most are: submits jobs, looks at them, claims and settles them. Notes what is not as it has to be, and how long each answer took. */
final class GoodCaller {

    private static final String QUEUE = "good";

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;
    private final String token;
    private int jobs;

    GoodCaller(String url, String token) {
        this.url = url;
        this.token = token;
    }

    /**
     * The notes of a caller.
     *
     * @param faults wrong answers: another status than 2xx, or other content than expected
     * @param nanos how long each answer took, the shortest first
     */
    record Notes(List<String> faults, List<Long> nanos) {

        Duration p99() {
            return Duration.ofNanos(nanos.get(nanos.size() * 99 / 100));
        }
    }

    /** Runs so many jobs, one after the other. */
    Notes run(int count) throws IOException, InterruptedException {
        Notes notes = new Notes(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < count; i++) {
            runOne("job-" + jobs++, notes);
        }
        notes.nanos().sort(null);
        return notes;
    }

    private void runOne(String id, Notes notes) throws IOException, InterruptedException {
        String jobsOfQueue = "/api/v1/queues/" + QUEUE + "/jobs";
        ask(notes, jobsOfQueue, "{\"id\": \"%s\", \"topic\": \"t\", \"delay\": \"PT0S\"}".formatted(id), "STORED");
        ask(notes, jobsOfQueue + "/" + id, null, id);
        ask(notes, "/api/v1/queues", null, "\"" + QUEUE + "\"");
        ask(notes, "/actuator/health", null, "UP");
        String claimed =
                ask(notes, "/api/v1/queues/" + QUEUE + "/claims", "{\"wait\": \"PT60S\", \"lease\": \"PT5M\"}", id);
        JsonNode handle = JsonMapper.shared().readTree(claimed).at("/jobs/0/handle");
        ask(
                notes,
                "/api/v1/settlements",
                "{\"settlements\": [{\"handle\": \"%s\", \"action\": \"complete\"}]}".formatted(handle.asString("")),
                "\"applied\":true");
    }

    private String ask(Notes notes, String path, @Nullable String body, String expected)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(Duration.ofMinutes(2))
                .header("Authorization", "Bearer " + token);
        if (body != null) {
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
        }
        long asked = System.nanoTime();
        HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        notes.nanos().add(System.nanoTime() - asked);
        if (answer.statusCode() / 100 != 2 || !answer.body().contains(expected)) {
            notes.faults().add(path + " was answered " + answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }
}

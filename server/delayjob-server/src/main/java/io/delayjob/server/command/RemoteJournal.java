package io.delayjob.server.command;

import io.delayjob.DelayJobException;
import io.delayjob.JobRestore;
import io.delayjob.JobStep;
import io.delayjob.JournalDiff;
import io.delayjob.JournalScope;
import io.delayjob.RestoreReport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriComponentsBuilder;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The journal of a server that runs, over HTTP. Waits as long as the server takes. */
final class RemoteJournal implements JournalAccess {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;
    private final String token;

    /**
     * The journal of a server.
     *
     * @param url its address, without {@code /api/v1}
     */
    RemoteJournal(String url, String token) {
        this.url = url;
        this.token = token;
        checked(url);
    }

    private static void checked(String url) {
        if (!url.matches("https?://[^/]+.*")) {
            throw new BadCommandException(
                    "--url is the address of a server, such as http://localhost:8080: '" + url + "'");
        }
    }

    /** Error response of a server. */
    private record Problem(@Nullable String detail) {}

    private record Cleared(long cleared) {}

    private record Steps(List<JobStep> steps) {}

    @Override
    public List<JobStep> history(String queue, String id, int limit) {
        return get(
                        Steps.class,
                        "/queues/{queue}/jobs/{id}/history?limit={limit}",
                        Map.of("queue", queue, "id", id, "limit", limit))
                .steps();
    }

    @Override
    public JournalDiff diff(JournalScope scope) {
        Map<String, Object> values = values(scope);
        String query =
                values.keySet().stream().map(name -> name + "={" + name + "}").collect(Collectors.joining("&"));
        return get(JournalDiff.class, "/journal/diff?" + query, values);
    }

    @Override
    public RestoreReport restore(JobRestore restore) {
        Map<String, Object> body = values(restore.scope());
        body.put("dryRun", restore.dryRun());
        body.put("finished", restore.finished());
        if (restore.perSecond() != null) {
            body.put("perSecond", restore.perSecond());
        }
        return post(RestoreReport.class, "/journal/restore", body);
    }

    @Override
    public long clear(String queue, boolean forGood) {
        return post(Cleared.class, "/journal/clear", Map.of("queue", queue, "forGood", forGood))
                .cleared();
    }

    private static Map<String, Object> values(JournalScope scope) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("overdue", scope.overdue());
        put(values, "queue", scope.queue());
        put(values, "id", scope.id());
        put(values, "dueFrom", scope.dueFrom());
        put(values, "dueTo", scope.dueTo());
        return values;
    }

    private static void put(Map<String, Object> values, String name, @Nullable Object value) {
        if (value != null) {
            values.put(name, value.toString());
        }
    }

    private <T> T get(Class<T> type, String path, Map<String, ?> values) {
        return send(type, HttpRequest.newBuilder(uri(path, values)));
    }

    private <T> T post(Class<T> type, String path, Map<String, ?> body) {
        return send(
                type,
                HttpRequest.newBuilder(uri(path, Map.of()))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    /** Each value is encoded for itself: an id may have slashes. */
    private URI uri(String path, Map<String, ?> values) {
        return UriComponentsBuilder.fromUriString(url + "/api/v1" + path)
                .encode()
                .buildAndExpand(values)
                .toUri();
    }

    private <T> T send(Class<T> type, HttpRequest.Builder request) {
        request.header("Authorization", "Bearer " + token);
        try {
            HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw refused(answer);
            }
            return JSON.readValue(answer.body(), type);
        } catch (IOException e) {
            throw new DelayJobException("no server answers at " + url + ": " + e, e);
        } catch (JacksonException e) {
            throw new DelayJobException("what answers at " + url + " is not a delayjob server", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DelayJobException("interrupted; what the server was told to do goes on", e);
        }
    }

    private static RuntimeException refused(HttpResponse<String> answer) {
        String detail = detail(answer);
        return answer.statusCode() == 400
                ? new BadCommandException(detail)
                : new DelayJobException("the server answers " + answer.statusCode() + ": " + detail, null);
    }

    private static String detail(HttpResponse<String> answer) {
        try {
            String detail = JSON.readValue(answer.body(), Problem.class).detail();
            return detail == null ? answer.body() : detail;
        } catch (JacksonException e) {
            return answer.body();
        }
    }
}

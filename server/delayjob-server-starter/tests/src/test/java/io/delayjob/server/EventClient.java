package io.delayjob.server;

import static org.awaitility.Awaitility.await;

import io.delayjob.redisson.events.Position;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Follows events, as a browser does. */
final class EventClient implements AutoCloseable {

    /** The order of ids. */
    static final Comparator<String> BY_PLACE =
            Comparator.comparing(id -> Position.parse(id).orElseThrow());

    private final InputStream body;
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final List<String> comments = new CopyOnWriteArrayList<>();
    private volatile String lastId = "";
    private volatile boolean ended;
    private volatile boolean cutOff;

    /** An event that was received. */
    record Event(String id, String kind, JsonNode data) {

        String job() {
            return data.path("id").asString("");
        }
    }

    private EventClient(InputStream body) {
        this.body = body;
    }

    static EventClient listen(TestServer server, String query) {
        return listen(server.api(), query, null);
    }

    static EventClient listen(TestServer server, String query, String lastId) {
        return listen(server.api(), query, lastId);
    }

    /** Returns when the server says that it listens. */
    static EventClient listen(Api api, String query, @Nullable String lastId) {
        HttpResponse<InputStream> answer =
                (lastId == null ? api : api.withHeader("Last-Event-ID", lastId)).stream("/events" + query);
        EventClient client = new EventClient(answer.body());
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + client.text());
        }
        Thread reader = new Thread(client::read, "event-client");
        reader.setDaemon(true);
        reader.start();
        await().until(() -> client.comments.contains("listening"));
        return client;
    }

    private String text() {
        try (body) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            String kind = "";
            String data = "";
            String line = lines.readLine();
            for (; line != null; line = lines.readLine()) {
                int colon = line.indexOf(':');
                String field = colon < 0 ? line : line.substring(0, colon);
                String value = colon < 0 ? "" : line.substring(colon + 1);
                switch (field) {
                    case "" -> {
                        if (colon == 0) {
                            comments.add(value);
                        } else if (!data.isEmpty()) {
                            events.add(
                                    new Event(lastId, kind, JsonMapper.shared().readTree(data)));
                            data = "";
                        }
                    }
                    case "id" -> lastId = value;
                    case "event" -> kind = value;
                    case "data" -> data = value;
                    default -> {}
                }
            }
        } catch (IOException e) {
            cutOff = true;
        } finally {
            ended = true;
        }
    }

    List<Event> events() {
        return events;
    }

    /** The kinds of a job's events, in their order. */
    List<String> kindsOf(String job) {
        return events.stream()
                .filter(event -> event.job().equals(job))
                .map(Event::kind)
                .toList();
    }

    Event of(String job, String kind) {
        return events.stream()
                .filter(event -> event.job().equals(job) && event.kind().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    List<String> comments() {
        return comments;
    }

    String lastId() {
        return lastId;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Whether the connection broke instead of being ended. */
    boolean wasCutOff() {
        return cutOff;
    }

    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.delayjob.server.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A process that uses a client as it is told by lines of JSON on its standard input, and tells what happens by lines on its standard output.
 * It ends with its input.
 *
 * <p>Commands are {@code connect}, {@code submit}, {@code find}, {@code cancel}, {@code work} and {@code stop}; the event of the same name
 * is the answer, with {@code error} if the client failed. That of {@code work} comes when the worker has ended. Its jobs of topic {@code
 * greet} are told by {@code ran}; those of {@code hold} last as many milliseconds as their param says, unless they are aborted, and are told
 * by {@code began} and {@code ended}.
 */
final class Driver implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final Process process;
    private final PrintWriter commands;
    private final Queue<JsonNode> events = new ConcurrentLinkedQueue<>();

    private Driver(Process process) {
        this.process = process;
        this.commands = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "driver-events");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a process in a folder; its errors go to those of the test. */
    static Driver start(Path folder, Map<String, String> environment, List<String> command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        return new Driver(builder.start());
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                events.add(JSON.readTree(line));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives a command, and waits for its answer. */
    JsonNode ask(String command, Map<String, ?> arguments) {
        int before = all(command).size();
        tell(command, arguments);
        return await().until(() -> all(command), answers -> answers.size() > before)
                .get(before);
    }

    /** Gives a command, and does not wait for its answer. */
    void tell(String command, Map<String, ?> arguments) {
        Map<String, Object> line = new HashMap<>(arguments);
        line.put("do", command);
        commands.println(JSON.writeValueAsString(line));
    }

    /** The first event of this kind, as soon as it is told. */
    JsonNode next(String event) {
        return next(event, any -> true);
    }

    JsonNode next(String event, Predicate<JsonNode> which) {
        AtomicReference<JsonNode> found = new AtomicReference<>();
        await().alias(event).until(() -> {
            assertThat(process.isAlive())
                    .as("the driver runs; it told %s", events)
                    .isTrue();
            all(event).stream().filter(which).findFirst().ifPresent(found::set);
            return found.get() != null;
        });
        return found.get();
    }

    /** All events of this kind so far. */
    List<JsonNode> all(String event) {
        return events.stream()
                .filter(told -> told.path("event").asString().equals(event))
                .toList();
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    @Override
    public String toString() {
        return "a driver that told " + events;
    }
}

package io.delayjob.benchmarks.driver;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.delayjob.benchmarks.contender.ContenderName;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A contender in a process of its own. */
public final class Node implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();
    private static final String ENDED = "";

    private final ContenderName contender;
    private final boolean hasUsualHeap;
    private final Process process;
    private final Writer commands;
    private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Thread atExit;

    private Node(ContenderName contender, boolean hasUsualHeap, Process process) {
        this.contender = contender;
        this.hasUsualHeap = hasUsualHeap;
        this.process = process;
        this.commands = process.outputWriter(UTF_8);
        this.atExit = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(atExit);
        Thread reader = new Thread(this::read, "answers-of-" + contender);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts the process; its log is appended to a file.
     *
     * @param heap the most memory that its JVM takes for objects, such as 128m; null for the usual
     */
    static Node start(ContenderName contender, @Nullable String heap, Path log) {
        ProcessBuilder builder = new ProcessBuilder(Programs.command(contender, heap));
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(variable -> variable.matches("(SPRING|DELAYJOB)_.*"));
        try {
            return new Node(contender, heap == null, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ContenderName contender() {
        return contender;
    }

    boolean hasUsualHeap() {
        return hasUsualHeap;
    }

    private void read() {
        try (BufferedReader reader = process.inputReader(UTF_8)) {
            reader.lines().forEach(answers::add);
        } catch (IOException | UncheckedIOException e) {
            // the process was ended
        }
        answers.add(ENDED);
    }

    /**
     * Sends a command and waits for its answer.
     *
     * @param arguments a map, or a record whose components they are
     */
    JsonNode call(String what, Object arguments, Duration atMost) {
        ObjectNode command = JSON.valueToTree(arguments);
        command.put("do", what);
        try {
            commands.write(JSON.writeValueAsString(command) + "\n");
            commands.flush();
            String line = answers.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null || line.equals(ENDED)) {
                throw new IllegalStateException("%s %s within %s of %s"
                        .formatted(contender, line == null ? "did not answer" : "ended", atMost, command));
            }
            return checked(JSON.readTree(line), command);
        } catch (IOException e) {
            throw new UncheckedIOException(contender + " has ended", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private JsonNode checked(JsonNode answer, JsonNode command) {
        if (answer.has("error")) {
            throw new IllegalStateException("%s, %s: %s"
                    .formatted(contender, command, answer.get("error").asString()));
        }
        return answer;
    }

    /** Kills the process; nothing that it holds is needed any more. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException e) {
            // the JVM is ending
        }
    }
}

package io.delayjob.benchmarks.driver;

import io.delayjob.testing.JarProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Web applications that are started with {@code java -jar}, as their users do. */
public enum Program {
    /** One with nothing in it, to compare with. */
    EMPTY(Programs.EMPTY),
    /** The demo. */
    DEMO(Programs.DEMO),
    /** The server. */
    SERVER(Programs.SERVER);

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    /** Boot says it of all its servers. */
    private static final Pattern PORT = Pattern.compile("started on port (\\d+)");

    private final Path jar;

    Program(Path jar) {
        this.jar = jar;
    }

    /** Why they cannot be started; nothing if they can. */
    public static Optional<String> obstacle() {
        return Optional.of("build proofs/delayjob-benchmarks/empty, delayjob-demo-app and delayjob-server first")
                .filter(remedy -> List.of(values()).stream().anyMatch(program -> !Files.exists(program.jar)));
    }

    /** Starts it in a folder of its own beside that log, and ends it when it has answered a request, whatever the answer is. */
    public double secondsToAnswer(Path log) {
        Path beside = Objects.requireNonNull(log.toAbsolutePath().getParent());
        long start = System.nanoTime();
        try (JarProcess process = JarProcess.start(folder(beside), jar, Programs.JVM_OF_USERS, List.of())) {
            Waits.until(this + " answers", () -> answers(process));
            return (System.nanoTime() - start) / 1e9;
        }
    }

    private static Path folder(Path parent) {
        try {
            return Files.createTempDirectory(parent, "program");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean answers(JarProcess process) {
        String log = process.log();
        if (!process.handle().isAlive()) {
            throw new IllegalStateException("it has ended:\n" + log);
        }
        return PORT.matcher(log).results().findFirst().map(Program::answers).orElse(false);
    }

    private static boolean answers(MatchResult port) {
        URI root = URI.create("http://localhost:" + port.group(1) + "/");
        try {
            HTTP.send(HttpRequest.newBuilder(root).timeout(Waits.PATIENCE).build(), BodyHandlers.discarding());
            return true;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The name in the results. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

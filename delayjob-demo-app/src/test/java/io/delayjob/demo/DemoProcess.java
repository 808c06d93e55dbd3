package io.delayjob.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The packaged demo in a JVM of its own, on a Redis of its own. */
final class DemoProcess implements AutoCloseable {

    private static final Pattern READY = Pattern.compile("the demo is ready at http://localhost:(\\d+)/");
    private static final Duration START = Duration.ofMinutes(3);
    private static final Duration STOP = Duration.ofSeconds(60);

    private final Process process;
    private final Path log;

    private DemoProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts the demo; does not wait for it. Properties begin with {@code --}, those of the system with {@code -D}. */
    static DemoProcess start(Path folder, String... properties) {
        try {
            Path log = Files.createTempFile(folder, "demo-", ".log");
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    // Up sooner: it does not live for long.
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC"));
            command.addAll(arguments(properties, "-D"));
            command.addAll(List.of(
                    "-jar",
                    System.getProperty("demo.jar", "target/delayjob-demo-app.jar"),
                    "--server.port=0",
                    "--embedded-redis.folder=" + folder.resolve("redis")));
            command.addAll(arguments(properties, "--"));
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("SPRING_"));
            return new DemoProcess(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> arguments(String[] properties, String kind) {
        return Stream.of(properties)
                .filter(property -> property.startsWith(kind))
                .toList();
    }

    /** Waits until it is ready. */
    DemoClient client() {
        int port = Waits.upTo(START).until(this::readyPort, Optional::isPresent).orElseThrow();
        return new DemoClient(port);
    }

    private Optional<Integer> readyPort() {
        if (!process.isAlive()) {
            throw new AssertionError("the demo has ended:\n" + log());
        }
        Matcher ready = READY.matcher(log());
        return ready.find() ? Optional.of(Integer.valueOf(ready.group(1))) : Optional.empty();
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGKILL. */
    void killNine() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** SIGTERM. */
    void stop() {
        process.destroy();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("the demo does not end:\n" + log());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        killNine();
    }
}

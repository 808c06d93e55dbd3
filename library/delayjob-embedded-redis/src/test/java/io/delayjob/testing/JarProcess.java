package io.delayjob.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A packaged web application in a JVM of its own, at a port that it chooses. It says in its log where it is ready. */
public final class JarProcess implements AutoCloseable {

    /** Up sooner, for a JVM that does not live for long. */
    public static final List<String> SHORT_LIVED = List.of(
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:MetaspaceSize=128m",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote");

    private static final Pattern READY = Pattern.compile("is ready at (http://localhost:\\d+)/");
    private static final Duration START = Duration.ofMinutes(3);
    private static final Duration STOP = Duration.ofMinutes(2);
    private static final long STEP_MILLIS = 50;

    private final String name;
    private final Process process;
    private final Path log;
    /** Its child processes at the time of the kill: its Redis outlives it, and a program started in the same folder reuses that Redis. */
    private final Set<ProcessHandle> started = ConcurrentHashMap.newKeySet();

    private JarProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        // One that its starter leaves behind would run for ever.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            kill();
            started.forEach(ProcessHandle::destroyForcibly);
        }));
    }

    /**
     * Starts an application; does not wait for it.
     *
     * @param folder of its log, and of its Redis if it starts one
     * @param options of the JVM
     * @param properties begin with {@code --}
     */
    public static JarProcess start(Path folder, Path jar, List<String> options, List<String> properties) {
        return start(folder, jar, options, List.of("-jar", jar.toString()), properties);
    }

    /**
     * Starts an application with more jars; does not wait for it.
     *
     * @param more the folder of the jars
     * @param main its main class
     */
    public static JarProcess startWith(
            Path folder, Path jar, Path more, String main, List<String> options, List<String> properties) {
        String classPath = jar + File.pathSeparator + more + "/*";
        return start(folder, jar, options, List.of("-cp", classPath, main), properties);
    }

    private static JarProcess start(
            Path folder, Path jar, List<String> options, List<String> program, List<String> properties) {
        String name = jar.getFileName().toString();
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(program);
        command.addAll(List.of("--server.port=0", "--embedded-redis.folder=" + folder.resolve("redis")));
        command.addAll(properties);
        try {
            Path log = Files.createTempFile(folder, name, ".log");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
            builder.environment().keySet().removeIf(variable -> variable.startsWith("SPRING_"));
            return new JarProcess(name, builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of the application, as soon as it is ready. */
    public String url() {
        long start = System.nanoTime();
        Matcher ready = READY.matcher(log());
        while (!ready.find()) {
            if (!process.isAlive() || System.nanoTime() - start > START.toNanos()) {
                throw new AssertionError(name + " has ended, or is not ready:\n" + log());
            }
            sleep();
            ready = READY.matcher(log());
        }
        return ready.group(1);
    }

    private static void sleep() {
        try {
            Thread.sleep(STEP_MILLIS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException(e);
    }

    /** Its output so far. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** SIGKILL. Its Redis goes on. */
    public void killNine() {
        kill();
        awaitEnd();
    }

    private void kill() {
        process.descendants().forEach(started::add);
        process.destroyForcibly();
    }

    /** SIGTERM. */
    public void stop() {
        process.destroy();
        awaitEnd();
    }

    /** Waits until it ends by itself; answers its exit code. */
    public int awaitExit() {
        awaitEnd();
        return process.exitValue();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError(name + " does not end:\n" + log());
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** SIGKILL, to its Redis as well. */
    @Override
    public void close() {
        killNine();
        started.forEach(ProcessHandle::destroyForcibly);
        started.forEach(child -> child.onExit().join());
    }
}

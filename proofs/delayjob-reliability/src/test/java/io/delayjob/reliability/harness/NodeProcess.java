package io.delayjob.reliability.harness;

import static org.awaitility.Awaitility.await;

import io.delayjob.reliability.node.Journal;
import io.delayjob.reliability.node.NodeApplication;
import io.delayjob.testing.JarProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link NodeApplication} in a process of its own, and what can be done to a process. */
public final class NodeProcess implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(3);

    private final String name;
    private final Path journal;
    private final Path log;
    private final Process process;
    private volatile boolean wasFrozen;

    private NodeProcess(String name, Path journal, Path log, Process process) {
        this.name = name;
        this.journal = journal;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts a node with other jars in front of its class path; does not wait for it.
     *
     * @param jars a class path
     * @param properties as {@code name=value}
     */
    static NodeProcess startWith(String jars, String name, Path folder, List<String> properties) {
        String classPath = jars + File.pathSeparator + NodeClasses.shared().path();
        return launch(NodeApplication.class, name, folder, List.of(), classPath, properties);
    }

    /**
     * Starts a node, or another program that writes a {@link Journal}; does not wait for it.
     *
     * @param jvm options of the JVM
     * @param properties as {@code name=value}
     */
    public static NodeProcess start(
            Class<?> program, String name, Path folder, List<String> jvm, List<String> properties) {
        NodeClasses classes = NodeClasses.shared();
        List<String> options = new ArrayList<>(jvm);
        options.add(classes.option());
        return launch(program, name, folder, options, classes.path(), properties);
    }

    static NodeProcess launch(
            Class<?> program, String name, Path folder, List<String> jvm, String classPath, List<String> properties) {
        Path journal = folder.resolve(name + ".journal");
        Path log = folder.resolve(name + ".log");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(JarProcess.SHORT_LIVED);
        command.addAll(List.of("-Xmx192m", "-Xshare:auto"));
        command.addAll(jvm);
        command.addAll(List.of("-cp", classPath, program.getName()));
        properties.forEach(property -> command.add("--" + property));
        command.addAll(List.of("--delayjob.node=" + name, "--node.journal=" + journal));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(variable -> variable.matches("(SPRING|DELAYJOB)_.*"));
        try {
            return new NodeProcess(name, journal, log, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its name in the fleet. */
    public String name() {
        return name;
    }

    /** Whether the process runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** The lines of its journal so far. */
    public List<Journal.Line> journal() {
        return Journal.read(journal);
    }

    /** The output of the process so far. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until it is up. */
    public NodeProcess awaitReady() {
        awaitLine(Journal.Kind.READY, START);
        return this;
    }

    /** Waits until one of its threads is held by its trap; the attempt that it makes. */
    public Journal.Line awaitTrapped() {
        awaitLine(Journal.Kind.TRAPPED, START);
        return journal().stream()
                .filter(line -> line.kind() == Journal.Kind.TRAPPED)
                .findFirst()
                .orElseThrow();
    }

    /** When it was up, by the machine's clock, ms. */
    long readyMillis() {
        return journal().stream()
                .filter(line -> line.kind() == Journal.Kind.READY)
                .mapToLong(Journal.Line::millis)
                .findFirst()
                .orElse(0);
    }

    /** Waits until something has happened in it. */
    public void awaitLine(Journal.Kind kind, Duration atMost) {
        await().atMost(atMost).pollInterval(Duration.ofMillis(20)).until(() -> {
            // In this order: it may end right after what is waited for.
            boolean alive = process.isAlive();
            boolean happened = Journal.count(journal, kind) > 0;
            if (!alive && !happened) {
                throw new AssertionError("node " + name + " has ended:\n" + log());
            }
            return happened;
        });
    }

    /** Waits until something has happened in it so many times. */
    public void awaitLines(Journal.Kind kind, int times, Duration atMost) {
        await().atMost(atMost).until(() -> Journal.count(journal, kind) >= times);
    }

    /** SIGKILL; returns when the process is gone. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** SIGTERM; does not wait. */
    void terminate() {
        process.destroy();
    }

    /** Waits for the end. */
    void awaitEnd() {
        try {
            if (!process.waitFor(3, TimeUnit.MINUTES)) {
                throw new AssertionError("node " + name + " does not end:\n" + log());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** SIGSTOP: a process that does not run at all, as in a very long garbage collection. */
    public void freeze() {
        wasFrozen = true;
        signal("-STOP");
    }

    /** Whether it was frozen at some time. */
    boolean wasFrozen() {
        return wasFrozen;
    }

    /** SIGCONT. */
    public void thaw() {
        signal("-CONT");
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}

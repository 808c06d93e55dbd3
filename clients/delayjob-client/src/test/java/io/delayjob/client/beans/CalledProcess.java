package io.delayjob.client.beans;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobName;
import io.delayjob.JobExecution;
import io.delayjob.client.HttpDelayJobSettings;
import io.delayjob.testing.JarProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** An application that is called back, in a JVM of its own and always at the same port, that can be killed and started again. */
final class CalledProcess implements AutoCloseable {

    static final String APPLICATION = "killed";
    static final String TYPE = "mail";

    private static final Duration START = Duration.ofMinutes(5);

    /** A run of a job that has ended. */
    record Ran(String id, int attempt, long beganMillis) {

        static Ran of(String line) {
            String[] parts = line.split(" ", -1);
            return new Ran(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
        }
    }

    /** Takes a while, and then writes down that it has run. */
    @DelayJobName(TYPE)
    static final class Mail implements DelayJob<String> {

        private static final Duration WORK = Duration.ofMillis(20);

        private final Path file;

        Mail(@Value("${ran}") Path file) {
            this.file = file;
        }

        @Override
        public void execute(JobExecution<String> execution) throws IOException, InterruptedException {
            long began = System.currentTimeMillis();
            Thread.sleep(WORK.toMillis());
            Files.writeString(
                    file,
                    execution.id() + " " + execution.attempt() + " " + began + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }

    @EnableAutoConfiguration
    @Import(Mail.class)
    static class Application {

        public static void main(String[] arguments) {
            SpringApplication.run(Application.class, arguments);
        }
    }

    private final int port = freePort();
    private final Path file;
    private final HttpDelayJobSettings server;
    private @Nullable Process process;

    CalledProcess(Path folder, HttpDelayJobSettings server) {
        this.file = folder.resolve("ran-" + port + ".txt");
        this.server = server;
    }

    private static int freePort() {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> command() {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(JarProcess.SHORT_LIVED);
        command.addAll(List.of(
                "-Xmx128m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Application.class.getName(),
                "--server.port=" + port,
                "--server.address=127.0.0.1",
                "--spring.main.web-application-type=servlet",
                "--spring.main.banner-mode=off",
                "--logging.level.root=warn",
                "--spring.application.name=" + APPLICATION,
                "--eureka.client.enabled=false",
                "--delayjob.enabled=false",
                "--delayjob.client.url=" + server.url(),
                "--delayjob.client.token=" + server.token(),
                "--delayjob.callback.enabled=true",
                "--delayjob.callback.url=http://127.0.0.1:" + port,
                "--ran=" + file));
        return command;
    }

    /** Starts it; returns when it takes calls. */
    void start() {
        try {
            process = new ProcessBuilder(command()).inheritIO().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitPort(process);
    }

    private void awaitPort(Process starting) {
        Instant end = Instant.now().plus(START);
        while (true) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException e) {
                if (!starting.isAlive() || Instant.now().isAfter(end)) {
                    throw new UncheckedIOException("the application does not start", e);
                }
                LockSupport.parkNanos(50_000_000);
            }
        }
    }

    /** SIGKILL. */
    void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly().onExit().join();
        }
    }

    /** All that has run in it, before its kills as well; a last line that it did not finish is none. */
    List<Ran> ran() {
        try {
            String text = Files.exists(file) ? Files.readString(file) : "";
            return text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .map(Ran::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}

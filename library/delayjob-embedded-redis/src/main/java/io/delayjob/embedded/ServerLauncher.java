package io.delayjob.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts a server process in a folder and waits until it answers.
 *
 * @param wrapper a command that runs the server
 * @param password the password that clients log in with; null for none
 */
record ServerLauncher(
        RedisExecutable executable,
        Path folder,
        List<String> settings,
        List<String> wrapper,
        @Nullable String password) {
    private static final String LOG = "redis.log";
    private static final String SETTINGS_FROM_INPUT = "-";
    private static final int LOG_LINES = 20;
    private static final int PORTS = 5;
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** Settings of a server that keeps nothing. */
    static final List<String> WITHOUT_PERSISTENCE = List.of("--save", "", "--appendonly", "no");

    /** Settings of a server that keeps everything; snapshots would only repeat the append-only file. */
    static final List<String> PERSISTENT = List.of("--save", "", "--appendonly", "yes", "--appendfsync", "everysec");

    /** A server in the session of this JVM, which ends with the terminal's Ctrl-C. */
    static ServerLauncher inThisSession(RedisExecutable executable, Path folder, List<String> arguments) {
        List<String> settings =
                Stream.concat(WITHOUT_PERSISTENCE.stream(), arguments.stream()).toList();
        return new ServerLauncher(executable, folder, settings, List.of(), null);
    }

    /**
     * A server in a session of its own where the {@code setsid} command exists: Ctrl-C reaches the application only, which
     * can still use Redis while it shuts down. Its files are nobody else's to read. The commands replace themselves by the server, so the pid
     * stays the same.
     */
    static ServerLauncher inOwnSession(RedisExecutable executable, Path folder, String password) {
        List<String> wrapper = new ArrayList<>();
        found("sh").ifPresent(shell -> wrapper.addAll(List.of(shell, "-c", "umask 077; exec \"$@\"", shell)));
        found("setsid").ifPresent(wrapper::add);
        return new ServerLauncher(executable, folder, PERSISTENT, wrapper, password);
    }

    private static Optional<String> found(String command) {
        return SearchPath.ofSystem().find(command).findFirst().map(Path::toString);
    }

    RunningServer launchOnFreePort() {
        return launch(LoopbackPort.free(), state -> {});
    }

    /**
     * Starts on the preferred port, or on another when that one is taken.
     *
     * @param record told about the process as soon as it exists, before it answers
     */
    RunningServer launch(int preferredPort, Consumer<ServerState> record) {
        int port = preferredPort;
        for (int i = 1; i < PORTS; i++) {
            try {
                return launchOn(port, record);
            } catch (PortTakenException e) {
                port = LoopbackPort.free();
            }
        }
        return launchOn(port, record);
    }

    /** Starts on exactly this port. */
    RunningServer launchOn(int port, Consumer<ServerState> record) {
        Process process = spawn(port);
        try {
            record.accept(ServerState.of(process.toHandle(), port, program()));
            return new RunningServer(process.toHandle(), port, program(), awaitReady(process, port), password);
        } catch (RuntimeException e) {
            RunningServer.kill(process.toHandle());
            throw e;
        }
    }

    private String program() {
        return executable.path().toString();
    }

    private Process spawn(int port) {
        try {
            Process process = new ProcessBuilder(command(port))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(PrivateFiles.file(folder.resolve(LOG)).toFile())
                    .start();
            tellPassword(process);
            return process;
        } catch (IOException e) {
            throw EmbeddedRedisException.withAdvice("%s cannot be started: %s".formatted(program(), e.getMessage()));
        }
    }

    /** By its input: everybody on the machine can read the arguments of a process. */
    private void tellPassword(Process process) {
        try (OutputStream input = process.getOutputStream()) {
            if (password != null) {
                input.write(("requirepass " + password + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            // It has ended already; its output says why.
        }
    }

    private List<String> command(int port) {
        List<String> command = new ArrayList<>(wrapper);
        command.add(program());
        if (password != null) {
            command.add(SETTINGS_FROM_INPUT);
        }
        command.addAll(List.of("--bind", LoopbackPort.HOST, "--port", Integer.toString(port)));
        command.addAll(List.of("--daemonize", "no", "--dir", folder.toString()));
        command.addAll(settings);
        return command;
    }

    // Another server may have taken the port meanwhile and answer in our server's place: only our pid counts.
    private ServerInfo awaitReady(Process process, int port) {
        return Readiness.await(port, password, Readiness.FIRST_ANSWER, process::isAlive)
                .filter(answer -> answer.mayBe(process.pid()))
                .orElseThrow(() -> failure(process));
    }

    private RuntimeException failure(Process process) {
        boolean ended = Patience.until(GRACE, () -> !process.isAlive());
        String output = lastLines();
        if (output.contains("Address already in use")) {
            return new PortTakenException(output);
        }
        return EmbeddedRedisException.withAdvice("%s %s in %s. Its output:%n%s"
                .formatted(
                        program(),
                        ended ? "ended with exit code " + process.exitValue() : "did not become ready",
                        folder,
                        output));
    }

    private String lastLines() {
        try {
            List<String> lines = Files.readAllLines(folder.resolve(LOG), StandardCharsets.ISO_8859_1);
            return String.join(
                    System.lineSeparator(), lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
        } catch (IOException e) {
            return "(unreadable: " + e.getMessage() + ")";
        }
    }

    /** The port was taken between its choice and the server's bind. */
    static final class PortTakenException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        PortTakenException(String output) {
            super("The port is taken: " + output);
        }
    }
}

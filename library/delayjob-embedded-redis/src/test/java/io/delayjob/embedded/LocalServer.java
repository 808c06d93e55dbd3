package io.delayjob.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** The test kit's door to starting servers by hand; tests use {@code io.delayjob.testing.OwnRedis}. */
public final class LocalServer implements AutoCloseable {
    private static final int TRIES = 5;
    private static final int BUS = 10_000;

    // The bus ports, too, must lie below those of outgoing connections: see LoopbackPort.
    private static final int END_OF_CLUSTER_PORTS = 22_700;

    private final ServerLauncher launcher;
    private final KeptPort port;
    private final JvmExit exit;
    private RunningServer running;

    private LocalServer(ServerLauncher launcher, KeptPort port, RunningServer running) {
        this.launcher = launcher;
        this.port = port;
        this.running = running;
        this.exit = JvmExit.run(this::end);
    }

    /**
     * Starts a server in a new temporary folder, on a free port.
     *
     * @param arguments redis-server arguments, after the defaults {@code --save "" --appendonly no}
     * @return the running server
     */
    public static LocalServer start(List<String> arguments) {
        return start(
                (executable, folder) -> ServerLauncher.inThisSession(executable, folder, arguments),
                LocalServer::anyPort);
    }

    /**
     * Starts a server on a port whose cluster bus port, 10000 higher, is free as well.
     *
     * @param arguments as for {@link #start}
     * @return the running server
     */
    public static LocalServer startClusterNode(List<String> arguments) {
        return start(
                (executable, folder) -> ServerLauncher.inThisSession(executable, folder, arguments),
                LocalServer::clusterPort);
    }

    /**
     * Starts a sentinel.
     *
     * @param config lines of its configuration file, which it rewrites
     * @return the running sentinel
     */
    public static LocalServer startSentinel(List<String> config) {
        return start(
                (executable, folder) -> {
                    write(folder.resolve("sentinel.conf"), config);
                    // The file must stand before all options.
                    List<String> wrapper = List.of("sh", "-c", "exec \"$0\" sentinel.conf \"$@\"");
                    return new ServerLauncher(executable, folder, List.of("--sentinel"), wrapper, null);
                },
                LocalServer::anyPort);
    }

    private interface Preparation {
        ServerLauncher in(RedisExecutable executable, Path folder);
    }

    private static LocalServer start(Preparation preparation, Supplier<KeptPort> ports) {
        Path folder = TemporaryFolder.create();
        try {
            return launch(preparation.in(ExecutableFinder.standard().find(folder), folder), ports, TRIES);
        } catch (RuntimeException e) {
            TemporaryFolder.delete(folder);
            throw e;
        }
    }

    private static LocalServer launch(ServerLauncher launcher, Supplier<KeptPort> ports, int tries) {
        KeptPort port = ports.get();
        try {
            return new LocalServer(launcher, port, launcher.launchOn(port.number(), state -> {}));
        } catch (ServerLauncher.PortTakenException e) {
            // by a program that is no server of the tests
            port.close();
            if (tries == 1) {
                throw e;
            }
            return launch(launcher, ports, tries - 1);
        } catch (RuntimeException e) {
            port.close();
            throw e;
        }
    }

    private static KeptPort anyPort() {
        return KeptPort.below(LoopbackPort.LOWEST, number -> true);
    }

    private static KeptPort clusterPort() {
        return KeptPort.below(END_OF_CLUSTER_PORTS, number -> LoopbackPort.isFree(number + BUS));
    }

    private static void write(Path file, List<String> lines) {
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the server again, on the same port and folder, once its process has ended. */
    public synchronized void startAgain() {
        running = launcher.launchOn(port.number(), state -> {});
    }

    /** Ends the process with SIGTERM; Redis saves according to its settings. */
    public synchronized void stop() {
        RunningServer.end(process());
    }

    /** Ends the process with SIGKILL and waits until it is gone. */
    public synchronized void kill() {
        RunningServer.kill(process());
    }

    /**
     * The current process.
     *
     * @return the process, possibly ended
     */
    public synchronized ProcessHandle process() {
        return running.process();
    }

    /**
     * The port, the same over all restarts.
     *
     * @return the port on 127.0.0.1
     */
    public int port() {
        return port.number();
    }

    /**
     * The data folder, deleted at the end.
     *
     * @return the folder
     */
    public Path folder() {
        return launcher.folder();
    }

    /** Kills the server and deletes its folder. */
    @Override
    public void close() {
        end();
        exit.callOff();
    }

    private void end() {
        kill();
        port.close();
        TemporaryFolder.delete(folder());
    }
}

package io.delayjob.embedded;

import java.nio.file.Path;
import java.util.List;

/** The test kit's door to starting servers by hand; tests use {@code io.delayjob.testing.OwnRedis}. */
public final class LocalServer implements AutoCloseable {
    private final ServerLauncher launcher;
    private final JvmExit exit;
    private RunningServer running;

    private LocalServer(ServerLauncher launcher) {
        this.launcher = launcher;
        this.running = launcher.launchOnFreePort();
        this.exit = JvmExit.run(this::end);
    }

    /**
     * Starts a server in a new temporary folder, on a free port.
     *
     * @param arguments redis-server arguments, after the defaults {@code --save "" --appendonly no}
     * @return the running server
     */
    public static LocalServer start(List<String> arguments) {
        Path folder = TemporaryFolder.create();
        try {
            RedisExecutable executable = ExecutableFinder.standard().find(folder);
            return new LocalServer(ServerLauncher.inThisSession(executable, folder, arguments));
        } catch (RuntimeException e) {
            TemporaryFolder.delete(folder);
            throw e;
        }
    }

    /** Starts the server again, on the same port and folder, once its process has ended. */
    public synchronized void startAgain() {
        running = launcher.launchOn(running.port(), state -> {});
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
    public synchronized int port() {
        return running.port();
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
        TemporaryFolder.delete(folder());
    }
}

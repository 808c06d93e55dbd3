package io.delayjob.testing;

import io.delayjob.embedded.LocalServer;
import io.delayjob.embedded.RedisCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A server that belongs to one test, which may kill, pause and restart it; always a local process.
 *
 * <p>It keeps nothing over a restart unless told so: {@code OwnRedis.start("--appendonly", "yes", "--appendfsync",
 * "always")}. It listens on 127.0.0.1, on one port and in one folder for all its life. Close it; the end of the JVM does
 * so too, but not its kill.
 */
public final class OwnRedis implements AutoCloseable {
    private final LocalServer server;

    private OwnRedis(LocalServer server) {
        this.server = server;
    }

    /**
     * Starts a server and waits until it answers.
     *
     * @param arguments redis-server arguments; {@code bind}, {@code port}, {@code dir} and {@code daemonize} are taken
     * @return the running server
     * @throws io.delayjob.embedded.EmbeddedRedisException if no executable fits or it does not become ready
     */
    public static OwnRedis start(String... arguments) {
        return new OwnRedis(LocalServer.start(List.of(arguments)));
    }

    /** Starts a server as {@link #start} does, on a port that leaves the cluster bus its own. */
    static OwnRedis startClusterNode(List<String> arguments) {
        return new OwnRedis(LocalServer.startClusterNode(arguments));
    }

    /** Starts a sentinel with these lines of configuration. */
    static OwnRedis startSentinel(List<String> config) {
        return new OwnRedis(LocalServer.startSentinel(config));
    }

    /** Sends one command; the elements of an array are joined by line feeds. */
    String call(String... words) {
        try {
            return RedisCall.call(url(), words);
        } catch (IOException e) {
            throw new UncheckedIOException(String.join(" ", words), e);
        }
    }

    /** Whether the process runs; a paused one does. */
    boolean isAlive() {
        return server.process().isAlive();
    }

    /** Ends the process as a crash does, with SIGKILL; returns when it is gone. */
    public void kill() {
        server.kill();
    }

    /** Ends the process with SIGTERM, as an operator does; returns when it is gone. */
    public void stop() {
        server.stop();
    }

    /** Starts the server on the same port and folder, after {@link #stop} when it still runs; waits until it answers. */
    public void restart() {
        server.stop();
        server.startAgain();
    }

    /** Stops the process from running (SIGSTOP): connections stay open, nothing is answered. */
    public void pause() {
        signal("-STOP");
    }

    /** Lets a paused process run on (SIGCONT). */
    public void resume() {
        signal("-CONT");
    }

    /**
     * The process.
     *
     * @return the pid, another one after each restart
     */
    public long pid() {
        return server.process().pid();
    }

    /**
     * The port.
     *
     * @return the port on 127.0.0.1
     */
    public int port() {
        return server.port();
    }

    /**
     * The address as clients take it.
     *
     * @return {@code redis://127.0.0.1:<port>}
     */
    public String url() {
        return "redis://127.0.0.1:" + port();
    }

    /**
     * Where the server keeps its data and its {@code redis.log}.
     *
     * @return the folder, deleted by {@link #close}
     */
    public Path folder() {
        return server.folder();
    }

    /** Kills the server, paused or not, and deletes its folder. */
    @Override
    public void close() {
        server.close();
    }

    private void signal(String name) {
        try {
            int exit = new ProcessBuilder("kill", name, Long.toString(pid()))
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("kill %s %d: exit code %d".formatted(name, pid(), exit));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}

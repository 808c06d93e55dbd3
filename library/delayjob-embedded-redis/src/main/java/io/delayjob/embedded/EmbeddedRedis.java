package io.delayjob.embedded;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Redis server that this process started, or found running in its data folder.
 *
 * <p>The server listens on 127.0.0.1 only. One with a data folder has a random password, in the file {@code password} there, and nobody but the
 * owner of the folder can read its files; a temporary one has no password. The executable is {@code redis-server} or
 * {@code valkey-server} (6.2 or newer) from the PATH, else a bundled Redis 6.2 for Linux and macOS. Thread-safe.
 */
public final class EmbeddedRedis implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EmbeddedRedis.class);

    private final RunningServer server;
    private final String description;
    private final Runnable ending;
    private final AtomicBoolean closed = new AtomicBoolean();

    EmbeddedRedis(RunningServer server, String description, Runnable ending) {
        this.server = server;
        this.description = description;
        this.ending = ending;
    }

    /**
     * Starts a server that keeps its data in a folder, or reuses the one already running there.
     *
     * <p>Data is written to an append-only file and synced every second: a crash of the machine loses about one second
     * at most, a crash of this process nothing. A server that outlived its process, as after {@code kill -9}, is found
     * again; several processes that name the same folder share one server, also when they start at the same moment.
     *
     * @param dataFolder where data, log, state file and password live; created when absent, and closed to other users
     * @return the running server
     * @throws EmbeddedRedisException if no executable fits, the server does not become ready (10 seconds, 60 while it
     *     loads its data), or the folder cannot be used
     */
    public static EmbeddedRedis startOrReuse(Path dataFolder) {
        return startOrReuse(dataFolder, ExecutableFinder.standard());
    }

    static EmbeddedRedis startOrReuse(Path dataFolder, ExecutableFinder finder) {
        return DataFolder.at(dataFolder, finder).startOrReuse();
    }

    /**
     * Starts a server without persistence in a temporary folder, for tests.
     *
     * <p>{@link #close} ends it and deletes the folder; so does the normal end of the JVM.
     *
     * @param arguments further settings, as redis-server takes them: {@code "--maxmemory", "50mb"}; later ones override the
     *     defaults, but {@code bind}, {@code port}, {@code dir} and {@code daemonize} must stay as they are
     * @return the running server
     * @throws EmbeddedRedisException if no executable fits or the server does not become ready within 10 seconds
     */
    public static EmbeddedRedis startTemporary(String... arguments) {
        return startTemporary(ExecutableFinder.standard(), arguments);
    }

    static EmbeddedRedis startTemporary(ExecutableFinder finder, String... arguments) {
        return TemporaryServer.start(finder, List.of(arguments));
    }

    /**
     * The TCP port.
     *
     * @return the port on 127.0.0.1
     */
    public int port() {
        return server.port();
    }

    /**
     * The address as clients take it, with the password.
     *
     * @return {@code redis://127.0.0.1:<port>}, or {@code redis://:<password>@127.0.0.1:<port>}
     */
    public String url() {
        String password = password();
        return "redis://" + (password == null ? "" : ":" + password + "@") + "127.0.0.1:" + port();
    }

    /**
     * The password.
     *
     * @return the password that clients log in with; null for a temporary server, which asks for none
     */
    public @Nullable String password() {
        return server.password();
    }

    /**
     * The program that runs.
     *
     * @return the path of the executable
     */
    public Path executable() {
        return Path.of(server.executable());
    }

    /**
     * Describes the running server, for a log or a start page.
     *
     * @return one line: product, version, executable, pid, port, folder, and whether it was started or reused
     */
    public String description() {
        return description;
    }

    /**
     * Ends the use of the server; further calls do nothing.
     *
     * <p>A temporary server is ended and its folder deleted. A persistent one is shut down, its data saved, unless
     * another client is still connected after two seconds: then it is left running for that client. Takes less than
     * a minute at worst; what goes wrong is logged, not thrown.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                ending.run();
            } catch (EmbeddedRedisException e) {
                log.warn("Redis on port {} could not be ended: {}", port(), e.getMessage());
            }
        }
    }

    long pid() {
        return server.process().pid();
    }
}

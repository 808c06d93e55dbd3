package io.delayjob.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A live server process and where it listens.
 *
 * @param password the password that its clients log in with; null for none
 */
record RunningServer(
        ProcessHandle process,
        int port,
        String executable,
        ServerInfo info,
        @Nullable String password) {
    private static final Duration CALL = Duration.ofSeconds(2);
    private static final Duration SAVING = Duration.ofSeconds(10);
    private static final Duration ENDING = Duration.ofSeconds(5);

    RespClient connect() throws IOException {
        return RespClient.connect(LoopbackPort.address(port), CALL, password);
    }

    /**
     * Has a server ask for its password that an older release left running without one. Not while others use it, which have no password and may
     * have to connect again.
     */
    void protect() {
        try (RespClient client = connect()) {
            if (password != null && otherClients(client) == 0) {
                client.call("CONFIG", "SET", "requirepass", password);
            }
        } catch (IOException e) {
            throw new EmbeddedRedisException("Redis on port %d cannot be given a password".formatted(port), e);
        }
    }

    /** Counts the connections other than the one that asks. */
    static long otherClients(RespClient client) throws IOException {
        String self = "id=" + client.call("CLIENT", "ID") + " ";
        return client.call("CLIENT", "LIST")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith(self))
                .count();
    }

    /** Asks the server to save its data and end; ends the process where it does not. */
    void shutDown() {
        try (RespClient client = connect()) {
            client.call("SHUTDOWN");
        } catch (IOException e) {
            // the answer to an obeyed SHUTDOWN is a closed connection; anything else shows in the wait
        }
        if (!hasEnded(process, SAVING)) {
            end(process);
        }
    }

    /** Ends a process, with SIGTERM first and SIGKILL when that is not enough; returns whether it is gone. */
    static boolean end(ProcessHandle process) {
        process.destroy();
        return hasEnded(process, ENDING) || kill(process);
    }

    static boolean kill(ProcessHandle process) {
        process.destroyForcibly();
        return hasEnded(process, ENDING);
    }

    private static boolean hasEnded(ProcessHandle process, Duration limit) {
        return Patience.until(limit, () -> !process.isAlive()) || isUnreaped(process);
    }

    // Ended, but still listed: in a container whose first process does not wait for orphans.
    private static boolean isUnreaped(ProcessHandle process) {
        return process.info().command().isEmpty();
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "RunningServer[pid " + process.pid() + ", port " + port + "]";
    }

    String describe(Path folder, String how) {
        return "%s %s (%s), pid %d, port %d, folder %s, %s"
                .formatted(info.product(), info.version(), executable, process.pid(), port, folder, how);
    }
}

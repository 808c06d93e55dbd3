package io.delayjob.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A live server process and where it listens. */
record RunningServer(ProcessHandle process, int port, String executable, ServerInfo info) {
    private static final Duration CALL = Duration.ofSeconds(2);
    private static final Duration SAVING = Duration.ofSeconds(10);
    private static final Duration ENDING = Duration.ofSeconds(5);

    RespClient connect() throws IOException {
        return RespClient.connect(LoopbackPort.address(port), CALL);
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

    String describe(Path folder, String how) {
        return "%s %s (%s), pid %d, port %d, folder %s, %s"
                .formatted(info.product(), info.version(), executable, process.pid(), port, folder, how);
    }
}

package io.delayjob.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waits until the server on a port of 127.0.0.1 answers PING. */
final class Readiness {
    static final Duration FIRST_ANSWER = Duration.ofSeconds(10);

    private static final Duration LOADING = Duration.ofSeconds(60);
    private static final Duration CALL = Duration.ofSeconds(1);

    private final int port;
    private final @Nullable String password;
    private Duration limit;
    private @Nullable ServerInfo info;

    private Readiness(int port, @Nullable String password, Duration limit) {
        this.port = port;
        this.password = password;
        this.limit = limit;
    }

    /**
     * Returns who answered, or empty when the process ended or the time passed. A server that says it is loading gets
     * 60 seconds in all.
     */
    static Optional<ServerInfo> await(int port, @Nullable String password, Duration limit, BooleanSupplier alive) {
        Readiness readiness = new Readiness(port, password, limit);
        Patience.until(() -> readiness.limit, () -> !alive.getAsBoolean() || readiness.poll());
        return Optional.ofNullable(readiness.info);
    }

    private boolean poll() {
        try (RespClient client = RespClient.connect(LoopbackPort.address(port), CALL, password)) {
            client.call("PING");
            info = ServerInfo.ask(client);
        } catch (RespError e) {
            weigh(e);
        } catch (IOException e) {
            // not listening yet
        }
        return info != null;
    }

    private void weigh(RespError error) {
        if (error.is("LOADING")) {
            limit = LOADING;
        } else if (error.is("NOAUTH")) {
            info = ServerInfo.UNKNOWN;
        }
    }
}

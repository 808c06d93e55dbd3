package io.delayjob.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leaves the server of a data folder: stops it, unless another client still uses it. */
record Departure(Path folder, RunningServer server, RespClient presence) implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(Departure.class);
    private static final Duration LOCK = Duration.ofSeconds(10);
    private static final Duration LINGER = Duration.ofSeconds(2);

    @Override
    public void run() {
        presence.close();
        FolderLock.holding(folder, LOCK, () -> {
            if (server.process().isAlive()) {
                stopIfUnused();
            } else {
                log.info("Redis on port {} had already ended", server.port());
                forget();
            }
            return folder;
        });
    }

    private void stopIfUnused() {
        long others = othersAfterLinger();
        if (others > 0) {
            log.info("Redis left running on port {} for {} other connection(s)", server.port(), others);
        } else {
            server.shutDown();
            forget();
            log.info("Redis on port {} stopped, its data is in {}", server.port(), folder);
        }
    }

    // The connections of an application that is just closing may need a moment to go.
    private long othersAfterLinger() {
        AtomicLong others = new AtomicLong();
        try (RespClient client = server.connect()) {
            Patience.until(LINGER, () -> count(client, others) == 0);
            return others.get();
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private static long count(RespClient client, AtomicLong others) {
        try {
            others.set(RunningServer.otherClients(client));
            return others.get();
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private static EmbeddedRedisException unreachable(IOException cause) {
        return new EmbeddedRedisException("it does not answer and is left running", cause);
    }

    private void forget() {
        ServerState.delete(folder, server.process().pid());
    }
}

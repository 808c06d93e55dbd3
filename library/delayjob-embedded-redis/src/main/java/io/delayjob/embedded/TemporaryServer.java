package io.delayjob.embedded;

import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts servers that keep nothing and leave nothing behind. */
final class TemporaryServer {
    private static final Logger log = LoggerFactory.getLogger(TemporaryServer.class);

    private TemporaryServer() {}

    static EmbeddedRedis start(ExecutableFinder finder, List<String> arguments) {
        Path folder = TemporaryFolder.create();
        try {
            RunningServer server = ServerLauncher.inThisSession(finder.find(folder), folder, arguments)
                    .launchOnFreePort();
            return temporary(server, folder);
        } catch (RuntimeException e) {
            TemporaryFolder.delete(folder);
            throw e;
        }
    }

    private static EmbeddedRedis temporary(RunningServer server, Path folder) {
        String description = server.describe(folder, "started");
        JvmExit exit = JvmExit.run(() -> end(server, folder));
        log.info("{}", description);
        return new EmbeddedRedis(server, description, () -> {
            end(server, folder);
            exit.callOff();
            log.info("Redis on port {} stopped, its folder deleted", server.port());
        });
    }

    private static void end(RunningServer server, Path folder) {
        RunningServer.end(server.process());
        TemporaryFolder.delete(folder);
    }
}

package io.delayjob.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A folder that keeps the data of one server, which several processes may share. */
record DataFolder(Path path, ExecutableFinder finder) {
    /*
     * Starting and leaving happen under the folder's lock, so that two processes never start two servers on one
     * append-only file.
     *
     * A recorded server is reused only when the server on the recorded port has the recorded pid and works in this
     * folder. A recorded process that does not answer is ended only when its program and start time are the recorded
     * ones: after a reboot the pid may belong to anything.
     *
     * Every process keeps one idle connection for as long as it uses the server. It shows the others that the server is
     * needed also in the moment between its start and the application's own first connection. The operating system
     * closes it when the process is killed.
     */
    private static final Logger log = LoggerFactory.getLogger(DataFolder.class);
    private static final Duration STARTING = Duration.ofSeconds(90);
    private static final Duration ANSWER = Duration.ofSeconds(3);
    private static final int FIRST_WITH_MANY_FILES = 7;

    static DataFolder at(Path path, ExecutableFinder finder) {
        try {
            return new DataFolder(PrivateFiles.folder(path), finder);
        } catch (IOException e) {
            throw new EmbeddedRedisException("Folder %s cannot be used: %s".formatted(path, e), e);
        }
    }

    EmbeddedRedis startOrReuse() {
        return FolderLock.holding(path, STARTING, () -> {
            String password = Password.of(path);
            Optional<ServerState> recorded = ServerState.read(path);
            Optional<RunningServer> running = recorded.flatMap(state -> reusable(state, password));
            running.ifPresent(RunningServer::protect);
            RunningServer server = running.orElseGet(() -> start(recorded, password));
            return join(server, running.isPresent() ? "reused" : "started");
        });
    }

    private Optional<RunningServer> reusable(ServerState state, String password) {
        ProcessHandle process = ProcessHandle.of(state.pid()).orElse(null);
        if (process == null || !process.isAlive()) {
            return Optional.empty();
        }
        // A process other than the recorded one has one chance to answer; a reused pid must not delay the start.
        Duration limit = state.process().isPresent() ? ANSWER : Duration.ZERO;
        Optional<ServerInfo> answer = Readiness.await(state.port(), password, limit, process::isAlive)
                .filter(info -> info.pid() == state.pid());
        if (answer.isEmpty()) {
            state.process().ifPresent(DataFolder::endUnresponsive);
        }
        return answer.map(info -> new RunningServer(process, state.port(), state.executable(), info, password))
                .filter(this::worksHere);
    }

    private static void endUnresponsive(ProcessHandle process) {
        log.warn("Redis, pid {}, does not answer and is ended", process.pid());
        if (!RunningServer.end(process)) {
            throw new EmbeddedRedisException(
                    "Redis, pid %d, does not answer and cannot be ended".formatted(process.pid()));
        }
    }

    private boolean worksHere(RunningServer server) {
        try (RespClient client = server.connect()) {
            return client.call("CONFIG", "GET", "dir").equals("dir\n" + path);
        } catch (IOException e) {
            return false;
        }
    }

    private RunningServer start(Optional<ServerState> recorded, String password) {
        RedisExecutable executable = finder.find(path);
        refuseNewerData(executable);
        // The former port lets a process that still uses it find the new server.
        int port = recorded.map(ServerState::port).orElseGet(LoopbackPort::free);
        return ServerLauncher.inOwnSession(executable, path, password).launch(port, state -> state.write(path));
    }

    // Redis 6 does not see the append-only files of Redis 7 and would start empty.
    private void refuseNewerData(RedisExecutable executable) {
        if (executable.majorVersion() < FIRST_WITH_MANY_FILES && Files.isDirectory(path.resolve("appendonlydir"))) {
            throw EmbeddedRedisException.withAdvice("The data in %s was written by Redis 7 or newer; %s is version %s"
                    .formatted(path, executable.path(), executable.version()));
        }
    }

    private EmbeddedRedis join(RunningServer server, String how) {
        RespClient presence = presence(server);
        String description = server.describe(path, how);
        log.info("{}", description);
        return new EmbeddedRedis(server, description, new Departure(path, server, presence));
    }

    private static RespClient presence(RunningServer server) {
        try {
            RespClient presence = server.connect();
            presence.call(
                    "CLIENT", "SETNAME", "delayjob-" + ProcessHandle.current().pid());
            return presence;
        } catch (IOException e) {
            throw new EmbeddedRedisException("Redis on port %d does not answer".formatted(server.port()), e);
        }
    }
}

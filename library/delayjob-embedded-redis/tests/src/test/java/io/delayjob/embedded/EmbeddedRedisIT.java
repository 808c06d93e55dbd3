package io.delayjob.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class EmbeddedRedisIT {
    @TempDir
    private Path folder;

    @AfterEach
    void endTheServerOfTheFolder() {
        ServerState.read(folder).flatMap(ServerState::process).ifPresent(RunningServer::kill);
    }

    @Test
    void findsTheServerOfAKilledJvmWithItsData() throws IOException {
        OtherJvm other = OtherJvm.using(folder);
        long pid = other.serverPid();
        RedisCall.call(
                "redis://:" + Password.of(folder) + "@127.0.0.1:" + recorded().port(), "SET", "key", "kept");
        other.kill();

        try (EmbeddedRedis redis = EmbeddedRedis.startOrReuse(folder)) {
            assertThat(redis.pid()).isEqualTo(pid);
            assertThat(redis.executable()).isExecutable();
            assertThat(redis.description()).contains("pid " + pid, "port " + redis.port(), folder.toString(), "reused");
            assertThat(RedisCall.call(redis.url(), "GET", "key")).isEqualTo("kept");
        }
        assertThat(isAlive(pid)).isFalse();
    }

    @Test
    void severalStartsAtOnceEndWithOneServer() throws Exception {
        try (OtherJvm first = OtherJvm.using(folder);
                OtherJvm second = OtherJvm.using(folder)) {
            List<EmbeddedRedis> here = startAtOnce(2);
            Set<Long> pids = new HashSet<>(Set.of(first.serverPid()));
            pids.add(second.serverPid());
            here.forEach(redis -> pids.add(redis.pid()));
            assertThat(pids).hasSize(1);
            here.forEach(EmbeddedRedis::close);
        }
        assertThat(ServerState.read(folder)).isEmpty();
    }

    @Test
    void closeLeavesTheServerToTheOtherUserAndTheLastOneStopsIt() {
        EmbeddedRedis first = EmbeddedRedis.startOrReuse(folder);
        EmbeddedRedis second = EmbeddedRedis.startOrReuse(folder);
        first.close();
        assertThat(isAlive(second.pid())).isTrue();
        second.close();
        second.close();
        assertThat(isAlive(second.pid())).isFalse();
    }

    @Test
    void closeLeavesTheServerToAConnectedClient() throws IOException {
        EmbeddedRedis redis = EmbeddedRedis.startOrReuse(folder);
        try (Socket client = new Socket()) {
            client.connect(LoopbackPort.address(redis.port()));
            redis.close();
            assertThat(isAlive(redis.pid())).isTrue();
        }
        EmbeddedRedis.startOrReuse(folder).close();
        assertThat(isAlive(redis.pid())).isFalse();
    }

    @Test
    void dataSurvivesCloseAndStart() throws IOException {
        try (EmbeddedRedis redis = EmbeddedRedis.startOrReuse(folder)) {
            RedisCall.call(redis.url(), "SET", "key", "kept");
        }
        try (EmbeddedRedis redis = EmbeddedRedis.startOrReuse(folder)) {
            assertThat(RedisCall.call(redis.url(), "GET", "key")).isEqualTo("kept");
            assertThat(redis.description()).endsWith("started");
        }
    }

    @Test
    void aStateFileThatNamesAForeignProcessHarmsNothing() throws IOException {
        Process foreign = new ProcessBuilder("sleep", "60").start();
        try {
            int deadPort = LoopbackPort.free();
            ServerState.of(foreign.toHandle(), deadPort, "/usr/bin/redis-server")
                    .write(folder);
            try (EmbeddedRedis redis = EmbeddedRedis.startOrReuse(folder)) {
                assertThat(redis.pid()).isNotEqualTo(foreign.pid());
                assertThat(foreign.isAlive()).isTrue();
            }
        } finally {
            foreign.destroyForcibly();
        }
    }

    @Test
    void aServerOfAnotherFolderIsNeitherReusedNorEnded() throws IOException {
        try (EmbeddedRedis foreign = EmbeddedRedis.startTemporary()) {
            ProcessHandle process = ProcessHandle.of(foreign.pid()).orElseThrow();
            String program = process.info().command().orElseThrow();
            ServerState.of(process, foreign.port(), program).write(folder);
            try (EmbeddedRedis redis = EmbeddedRedis.startOrReuse(folder)) {
                assertThat(redis.pid()).isNotEqualTo(foreign.pid());
                assertThat(redis.port()).isNotEqualTo(foreign.port());
                assertThat(RedisCall.call(foreign.url(), "PING")).isEqualTo("PONG");
            }
        }
    }

    @Test
    void itsOwnServerThatNoLongerAnswersIsReplaced() throws Exception {
        EmbeddedRedis stuck = EmbeddedRedis.startOrReuse(folder);
        RedisCall.call(stuck.url(), "SET", "key", "kept");
        assertThat(RedisCall.call(stuck.url(), "CONFIG", "SET", "appendfsync", "always"))
                .isEqualTo("OK");
        RedisCall.call(stuck.url(), "SET", "other", "kept too");
        new ProcessBuilder("kill", "-STOP", Long.toString(stuck.pid())).start().waitFor();

        try (EmbeddedRedis redis = EmbeddedRedis.startOrReuse(folder)) {
            assertThat(isAlive(stuck.pid())).isFalse();
            assertThat(redis.port()).isEqualTo(stuck.port());
            assertThat(RedisCall.call(redis.url(), "GET", "key")).isEqualTo("kept");
        }
        stuck.close();
    }

    @Test
    void otherUsersOfTheMachineCanNeitherConnectNorReadItsFiles() throws IOException {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Path old = Files.createFile(shared.resolve("appendonly.old"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rw-r--r--"));

        try (EmbeddedRedis redis = EmbeddedRedis.startOrReuse(shared)) {
            RedisCall.call(redis.url(), "SET", "key", "secret");

            assertThatThrownBy(() -> RedisCall.call("redis://127.0.0.1:" + redis.port(), "GET", "key"))
                    .hasMessageContaining("NOAUTH");
            assertThat(ProcessHandle.of(redis.pid())
                            .flatMap(process -> process.info().commandLine())
                            .orElse(""))
                    .doesNotContain(redis.password());
            assertThat(redis.description()).doesNotContain(redis.password());
            try (Stream<Path> all = Files.walk(shared)) {
                assertThat(all)
                        .hasSizeGreaterThan(4)
                        .allSatisfy(
                                path -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                                        .as("%s", path)
                                        .endsWith("------"));
            }
        }
    }

    @Test
    void aServerThatAnOlderReleaseLeftRunningAsksForAPasswordAfterwards() throws IOException {
        RedisExecutable executable = ExecutableFinder.standard().find(folder);
        RunningServer open = new ServerLauncher(executable, folder, ServerLauncher.PERSISTENT, List.of(), null)
                .launch(LoopbackPort.free(), state -> state.write(folder));

        try (EmbeddedRedis redis = EmbeddedRedis.startOrReuse(folder)) {
            assertThat(redis.port()).isEqualTo(open.port());
            assertThatThrownBy(() -> RedisCall.call("redis://127.0.0.1:" + redis.port(), "PING"))
                    .hasMessageContaining("NOAUTH");
            assertThat(RedisCall.call(redis.url(), "PING")).isEqualTo("PONG");
        }
    }

    @Test
    void aStateFileThatMakesNoSenseIsIgnored() throws IOException {
        Files.writeString(folder.resolve("server.properties"), "pid=many\nport=?\n");
        try (EmbeddedRedis redis = EmbeddedRedis.startOrReuse(folder)) {
            assertThat(recorded().pid()).isEqualTo(redis.pid());
        }
    }

    @Test
    void closeBearsAServerThatEndedByItself() {
        EmbeddedRedis redis = EmbeddedRedis.startOrReuse(folder);
        ProcessHandle.of(redis.pid()).ifPresent(RunningServer::kill);
        redis.close();
        assertThat(ServerState.read(folder)).isEmpty();
    }

    @Test
    void aRecordedPidIsNoProofWithoutProgramAndStartTime() {
        ProcessHandle self = ProcessHandle.current();
        String program = self.info().command().orElseThrow();
        ServerState state = ServerState.of(self, 1, program);
        assertThat(state.process()).isPresent();
        assertThat(new ServerState(state.pid(), 1, "/bin/sh", state.started()).process())
                .isEmpty();
        Instant earlier = state.started().minus(Duration.ofMinutes(1));
        assertThat(new ServerState(state.pid(), 1, program, earlier).process()).isEmpty();
    }

    @Test
    void aTemporaryServerTakesArgumentsAndLeavesNothingBehind() throws IOException {
        EmbeddedRedis redis = EmbeddedRedis.startTemporary("--maxmemory", "50mb");
        Path temporary = Path.of(dir(redis));
        assertThat(RedisCall.call(redis.url(), "CONFIG", "GET", "maxmemory")).isEqualTo("maxmemory\n52428800");
        assertThat(RedisCall.call(redis.url(), "CONFIG", "GET", "bind")).isEqualTo("bind\n127.0.0.1");
        redis.close();
        assertThat(isAlive(redis.pid())).isFalse();
        assertThat(temporary).doesNotExist();
    }

    @Test
    void aServerThatDoesNotStartTellsItsOutputAndWhatToDo() {
        assertThatThrownBy(() -> EmbeddedRedis.startTemporary("--no-such-setting", "1"))
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContainingAll("exit code 1", "no-such-setting", "Install redis-server", "spring.data.redis");
    }

    @Test
    void aTakenPortIsReplacedByAnother() throws IOException {
        try (EmbeddedRedis taken = EmbeddedRedis.startTemporary()) {
            RedisExecutable executable = ExecutableFinder.standard().find(folder);
            RunningServer server =
                    ServerLauncher.inThisSession(executable, folder, List.of()).launch(taken.port(), state -> {});
            assertThat(server.port()).isNotEqualTo(taken.port());
            assertThat(RunningServer.end(server.process())).isTrue();
        }
    }

    private static List<EmbeddedRedis> startAtOnce(ExecutorService executor, int count, Path folder) throws Exception {
        CountDownLatch together = new CountDownLatch(count);
        Callable<EmbeddedRedis> start = () -> {
            together.countDown();
            together.await();
            return EmbeddedRedis.startOrReuse(folder);
        };
        List<EmbeddedRedis> started = new ArrayList<>();
        List<Future<EmbeddedRedis>> futures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            futures.add(executor.submit(start));
        }
        for (Future<EmbeddedRedis> future : futures) {
            started.add(future.get());
        }
        return started;
    }

    private List<EmbeddedRedis> startAtOnce(int count) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(count);
        try {
            return startAtOnce(executor, count, folder);
        } finally {
            executor.shutdown();
        }
    }

    private ServerState recorded() {
        return ServerState.read(folder).orElseThrow();
    }

    private static String dir(EmbeddedRedis redis) throws IOException {
        return RedisCall.call(redis.url(), "CONFIG", "GET", "dir").substring("dir\n".length());
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }
}

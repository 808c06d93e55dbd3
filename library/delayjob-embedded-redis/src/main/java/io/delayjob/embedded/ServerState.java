package io.delayjob.embedded;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state file of a data folder: which server was last started there. */
record ServerState(long pid, int port, String executable, Instant started) {
    private static final Logger log = LoggerFactory.getLogger(ServerState.class);
    private static final String FILE = "server.properties";

    // Linux derives the start from the boot time, which the kernel moves a little when the clock is corrected.
    private static final Duration CLOCK_DRIFT = Duration.ofSeconds(2);

    static ServerState of(ProcessHandle process, int port, String executable) {
        Instant started = process.info().startInstant().orElse(Instant.EPOCH);
        return new ServerState(process.pid(), port, executable, started);
    }

    /** Returns the recorded server; empty when there is none or the file makes no sense. */
    static Optional<ServerState> read(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
            return Optional.of(parse(properties));
        } catch (IOException | IllegalArgumentException | DateTimeException e) {
            log.warn("Redis state file {} is ignored: {}", file, e.toString());
            return Optional.empty();
        }
    }

    private static ServerState parse(Properties properties) {
        return new ServerState(
                Long.parseLong(properties.getProperty("pid", "")),
                Integer.parseInt(properties.getProperty("port", "")),
                properties.getProperty("executable", ""),
                Instant.parse(properties.getProperty("started", "")));
    }

    /** Forgets the server with this pid; the record of any other stays. */
    static void delete(Path folder, long pid) {
        if (read(folder).filter(state -> state.pid == pid).isPresent()) {
            try {
                Files.deleteIfExists(folder.resolve(FILE));
            } catch (IOException e) {
                log.warn("Redis state file in {} cannot be deleted: {}", folder, e.toString());
            }
        }
    }

    void write(Path folder) {
        Path part = folder.resolve(FILE + ".part");
        try {
            try (Writer writer = Files.newBufferedWriter(PrivateFiles.file(part))) {
                properties().store(writer, "The Redis server of this folder");
            }
            Files.move(part, folder.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new EmbeddedRedisException("Redis state file in %s cannot be written".formatted(folder), e);
        }
    }

    private Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("pid", Long.toString(pid));
        properties.setProperty("port", Integer.toString(port));
        properties.setProperty("executable", executable);
        properties.setProperty("started", started.toString());
        return properties;
    }

    /** Returns the live process that was recorded, never another one that was given its pid. */
    Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::isRecorded);
    }

    private boolean isRecorded(ProcessHandle process) {
        return process.info().command().filter(this::isProgram).isPresent()
                && process.info().startInstant().filter(this::isNearStart).isPresent();
    }

    // The operating system names the file behind links: Debian's redis-server is one.
    private boolean isProgram(String command) {
        try {
            return Path.of(executable).toRealPath().equals(Path.of(command));
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isNearStart(Instant instant) {
        return Duration.between(started, instant).abs().compareTo(CLOCK_DRIFT) <= 0;
    }
}

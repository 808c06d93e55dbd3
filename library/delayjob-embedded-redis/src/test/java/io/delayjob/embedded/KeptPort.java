package io.delayjob.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A port that belongs to one server of the tests, also while that server is down: tests in other JVMs start theirs on other ports. {@link LoopbackPort}
 * gives only higher ones.
 *
 * @param number the port on 127.0.0.1
 * @param file is locked, until it is closed or the JVM ends
 */
record KeptPort(int number, FileChannel file) implements AutoCloseable {

    private static final Path FOLDER =
            Path.of(System.getProperty("java.io.tmpdir"), "delayjob-test-ports-" + System.getProperty("user.name"));
    private static final int LOWEST = 20_000;

    /** The ports of this JVM. A second look at one of their files would free its lock. */
    private static final Set<Integer> OURS = ConcurrentHashMap.newKeySet();

    /**
     * Takes a free port.
     *
     * @param end above the highest port that may be taken
     * @param fits whether a free port will do
     */
    static KeptPort below(int end, IntPredicate fits) {
        while (true) {
            int number = ThreadLocalRandom.current().nextInt(LOWEST, end);
            KeptPort port = OURS.add(number) ? locked(number) : null;
            if (port != null && LoopbackPort.isFree(number) && fits.test(number)) {
                return port;
            } else if (port != null) {
                port.close();
            }
        }
    }

    /** Null if another JVM has it. */
    private static @Nullable KeptPort locked(int number) {
        try {
            Files.createDirectories(FOLDER);
            FileChannel file = FileChannel.open(
                    FOLDER.resolve(Integer.toString(number)), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            KeptPort port = new KeptPort(number, file);
            if (file.tryLock() != null) {
                return port;
            }
            port.close();
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        OURS.remove(number);
    }
}

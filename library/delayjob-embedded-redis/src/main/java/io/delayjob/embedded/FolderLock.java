package io.delayjob.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.function.Supplier;

/** Lets one thread of one JVM at a time work on a data folder; the operating system frees the lock of a killed JVM. */
final class FolderLock {
    private static final String FILE = "lock";

    private FolderLock() {}

    /** Runs the work under the lock; throws when the lock is not free within the limit. */
    static <T> T holding(Path folder, Duration limit, Supplier<T> work) {
        try {
            Files.createDirectories(folder);
            try (FileChannel channel = FileChannel.open(
                    PrivateFiles.file(folder.resolve(FILE)), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                if (!Patience.until(limit, () -> isLocked(channel))) {
                    throw new EmbeddedRedisException(
                            "Folder %s is in use by another process for more than %s".formatted(folder, limit));
                }
                // Closing the channel frees the lock.
                return work.get();
            }
        } catch (IOException e) {
            throw new EmbeddedRedisException("Folder %s cannot be used: %s".formatted(folder, e), e);
        }
    }

    private static boolean isLocked(FileChannel channel) {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // another thread of this JVM has it
            return false;
        } catch (IOException e) {
            throw new EmbeddedRedisException("Lock file cannot be used: " + e, e);
        }
    }
}

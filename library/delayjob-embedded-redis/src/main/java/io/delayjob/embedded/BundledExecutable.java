package io.delayjob.embedded;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.error.OsArchitectureNotFound;
import redis.embedded.error.UnknownOSName;
import redis.embedded.model.OsArchitecture;

/**
 * The server program inside the embedded-redis library, unpacked once per user.
 *
 * <p>The library's own unpacking makes a new temporary folder each time and leaves it behind; only its choice of the
 * resource is used here.
 */
record BundledExecutable(@Nullable String resource, Path cache) {
    static BundledExecutable forThisMachine() {
        Path cache = Path.of(System.getProperty("user.home", "."), ".cache", "delayjob", "redis");
        return new BundledExecutable(resourceForThisMachine(), cache);
    }

    private static @Nullable String resourceForThisMachine() {
        try {
            return ExecutableProvider.newProvidedVersionsMap().get(OsArchitecture.detectOSandArchitecture());
        } catch (UnknownOSName | OsArchitectureNotFound e) {
            return null;
        }
    }

    /** Returns the unpacked program, in the cache or, where that cannot be written, in the given folder. */
    Path unpack(Path fallback) throws IOException {
        URL source = source();
        try {
            return unpack(source, cache);
        } catch (IOException e) {
            return unpack(source, fallback);
        }
    }

    private URL source() throws IOException {
        URL source = resource == null ? null : ExecutableProvider.class.getResource(resource);
        if (source == null) {
            throw new FileNotFoundException("there is none for this operating system and processor");
        }
        return source;
    }

    private static Path unpack(URL source, Path folder) throws IOException {
        Path target = folder.resolve(Path.of(source.getPath()).getFileName());
        URLConnection connection = source.openConnection();
        connection.setUseCaches(false);
        try (InputStream content = connection.getInputStream()) {
            if (!isUnpacked(target, connection.getContentLengthLong())) {
                Files.createDirectories(folder);
                write(content, target);
            }
        }
        return target;
    }

    private static boolean isUnpacked(Path target, long size) throws IOException {
        return Files.isExecutable(target) && Files.size(target) == size;
    }

    // Written beside and moved into place: another JVM sees the whole program or none.
    private static void write(InputStream content, Path target) throws IOException {
        Path part = Files.createTempFile(target.getParent(), "unpacking", ".part");
        try {
            Files.copy(content, part, StandardCopyOption.REPLACE_EXISTING);
            if (!part.toFile().setExecutable(true)) {
                throw new IOException(part + " cannot be made executable");
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}

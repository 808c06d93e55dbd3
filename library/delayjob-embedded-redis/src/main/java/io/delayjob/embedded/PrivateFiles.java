package io.delayjob.embedded;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that other users of the machine cannot read: 0600 in folders with 0700. Where a file system has no such permissions, as on Windows, they are
 * as safe as the folder of the user that they are in.
 */
public final class PrivateFiles {

    private static final Logger log = LoggerFactory.getLogger(PrivateFiles.class);

    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OWNERS_FILE = PosixFilePermissions.fromString("rw-------");

    /** The data of a server, the files of its append-only log, and what is beside them. */
    private static final int DEPTH = 2;

    private PrivateFiles() {}

    /**
     * Makes a folder, and keeps others out of it and of what is in it already.
     *
     * @param folder where it is
     * @return the folder
     * @throws IOException if it cannot be made
     */
    public static Path folder(Path folder) throws IOException {
        Path made = Files.createDirectories(folder).toRealPath();
        if (hasPermissions(made)) {
            try (Stream<Path> all = Files.walk(made, DEPTH)) {
                all.forEach(PrivateFiles::close);
            }
        }
        return made;
    }

    /**
     * Makes an empty file unless it exists, and keeps others from reading it.
     *
     * @param file where it is, in a folder that exists
     * @return the file
     * @throws IOException if it cannot be made
     */
    public static Path file(Path file) throws IOException {
        if (!hasPermissions(file)) {
            return file;
        }
        try {
            return Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNERS_FILE));
        } catch (FileAlreadyExistsException e) {
            close(file);
            return file;
        }
    }

    private static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Takes the permissions of others, and leaves the owner's. */
    private static void close(Path path) {
        try {
            Set<PosixFilePermission> now = Files.getPosixFilePermissions(path);
            if (!OWNER.containsAll(now)) {
                Set<PosixFilePermission> left = EnumSet.copyOf(OWNER);
                left.retainAll(now);
                Files.setPosixFilePermissions(path, left);
            }
        } catch (IOException e) {
            log.warn(
                    "other users of this machine may be able to read {}, whose permissions cannot be changed: {}",
                    path,
                    e.toString());
        }
    }
}

package io.delayjob.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The password of the server of a data folder: random, and in a file there that nobody but its owner can read. */
final class Password {

    private static final String FILE = "password";
    private static final int BYTES = 32;

    private Password() {}

    /** Reads it, or makes it; under the lock of the folder. */
    static String of(Path folder) {
        Path file = folder.resolve(FILE);
        try {
            String kept = Files.exists(PrivateFiles.file(file))
                    ? Files.readString(file).strip()
                    : "";
            return kept.isEmpty() ? write(file) : kept;
        } catch (IOException e) {
            throw new EmbeddedRedisException(
                    "The password of Redis in %s cannot be read or written".formatted(file), e);
        }
    }

    private static String write(Path file) throws IOException {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        String password = HexFormat.of().formatHex(bytes);
        Files.writeString(file, password + System.lineSeparator());
        return password;
    }
}

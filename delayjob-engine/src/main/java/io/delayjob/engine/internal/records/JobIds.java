package io.delayjob.engine.internal.records;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;

/** Ids of jobs whose caller gave none. */
public final class JobIds {

    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private JobIds() {}

    /** A random UUID in 22 characters of {@code A-Z a-z 0-9 - _}: in Redis every character is held two times. */
    public static String random() {
        UUID uuid = UUID.randomUUID();
        ByteBuffer bytes = ByteBuffer.allocate(16);
        bytes.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
        return TEXT.encodeToString(bytes.array());
    }
}

package io.delayjob.engine.internal.records;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;

/** Makes the ids of jobs whose caller chose none. */
public final class JobIds {

    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private JobIds() {}

    /** A random UUID in 22 characters of {@code A-Z a-z 0-9 - _}: short, because Redis stores every id twice. */
    public static String random() {
        UUID uuid = UUID.randomUUID();
        ByteBuffer bytes = ByteBuffer.allocate(16);
        bytes.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
        return TEXT.encodeToString(bytes.array());
    }
}

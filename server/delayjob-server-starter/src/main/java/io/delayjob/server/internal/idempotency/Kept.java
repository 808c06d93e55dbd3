package io.delayjob.server.internal.idempotency;

import io.delayjob.server.Grant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * The stored record of a request with an idempotency key.
 *
 * @param digest the digest of what was asked
 * @param status the status of the answer; 0 while the request is under way
 * @param contentType the type of the answer's body; null if it has none
 * @param body the body of the answer; while the request is under way, a random text that tells it from others of its key
 * @param grant the grant of its caller at that time; null where an earlier release stored the record
 */
record Kept(
        String digest,
        int status,
        @Nullable String contentType,
        String body,
        @Nullable Grant grant) {

    static Kept begun(String digest) {
        return new Kept(digest, 0, null, UUID.randomUUID().toString(), null);
    }

    /** Whether a caller with these rights may have the answer: it has all the rights that its first caller had. */
    boolean isFor(Grant now) {
        return grant == null || now.includes(grant);
    }

    boolean isError() {
        return status >= HttpStatus.BAD_REQUEST.value();
    }

    boolean isUnderWay() {
        return status == 0;
    }
}

package io.delayjob.server.internal.idempotency;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * What is stored of a request with a key.
 *
 * @param digest the digest of what was asked
 * @param status the status of the answer; 0 while the request is under way
 * @param contentType the type of the answer's body; null if it has none
 * @param body the body of the answer
 */
record Kept(String digest, int status, @Nullable String contentType, String body) {

    static Kept begun(String digest) {
        return new Kept(digest, 0, null, "");
    }

    boolean isError() {
        return status >= HttpStatus.BAD_REQUEST.value();
    }

    boolean isUnderWay() {
        return status == 0;
    }
}

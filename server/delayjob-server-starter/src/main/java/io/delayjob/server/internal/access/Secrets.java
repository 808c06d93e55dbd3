package io.delayjob.server.internal.access;

import io.delayjob.support.Digests;
import java.security.SecureRandom;
import java.util.Base64;

/** Makes the text of tokens, and their digests. */
public final class Secrets {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 32;

    private Secrets() {}

    /** A new one. Its beginning lets scanners find it where it should not be. */
    public static String create() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return "djt_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** The digest that a token is stored under. A token has 256 random bits, so nothing slower is needed to hide it. */
    static String digest(String secret) {
        return Digests.sha256(secret);
    }
}

package io.delayjob.engine.internal.claiming;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Makes the random part of tokens of a claim with an id, which must be the same on every node that repeats the claim. */
final class ClaimIds {

    private static final int LENGTH = 20;

    private ClaimIds() {}

    static String random(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return new BigInteger(1, digest).toString(36).substring(0, LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}

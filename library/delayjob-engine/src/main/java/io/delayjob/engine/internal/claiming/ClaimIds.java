package io.delayjob.engine.internal.claiming;

import io.delayjob.engine.ledger.Call;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Makes the call of a claim with an id. The call is the same on every node, so that a repeat on any node gets the answer that the
 * ledger's memo has kept.
 */
final class ClaimIds {

    /** Begins the lanes of such claims. No lane of a node begins with it, because of the tilde. */
    private static final String LANE = "~claims:";

    private static final int RANDOM_BYTES = 10;

    private ClaimIds() {}

    /** The call of a claim. It is the only one of its lane. */
    static Call call(String id) {
        return new Call(LANE + id, 1);
    }

    /** The random part of the claim's tokens. */
    static String random(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, RANDOM_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}

package io.delayjob.client.beans;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Verifies that a call was signed with one of the secrets, as Standard Webhooks v1 says, at most five minutes ago by this node's clock. */
final class CallSignature {

    private static final String PREFIX = "whsec_";
    private static final int SHORTEST = 24;
    private static final int LONGEST = 64;
    private static final Duration TOLERANCE = Duration.ofMinutes(5);

    private final List<byte[]> keys;

    /**
     * Verifies with secrets; without any, every call passes.
     *
     * @throws IllegalArgumentException if one is malformed
     */
    CallSignature(List<String> secrets) {
        this.keys = secrets.stream().map(CallSignature::key).toList();
    }

    private static byte[] key(String secret) {
        byte[] key = new byte[0];
        try {
            key = secret.startsWith(PREFIX) ? Base64.getDecoder().decode(secret.substring(PREFIX.length())) : key;
        } catch (IllegalArgumentException e) {
            key = new byte[0];
        }
        if (key.length < SHORTEST || key.length > LONGEST) {
            throw new IllegalArgumentException("a secret must be " + PREFIX + " followed by base64 of " + SHORTEST
                    + " to " + LONGEST + " bytes; this one has " + key.length);
        }
        return key;
    }

    /** Why a call is refused; null if it is not. */
    @Nullable String refusal(Map<String, String> headers, byte[] body) {
        if (keys.isEmpty()) {
            return null;
        }
        String id = headers.get("webhook-id");
        String timestamp = headers.get("webhook-timestamp");
        String signatures = headers.get("webhook-signature");
        if (id == null || timestamp == null || signatures == null) {
            return "the call is not signed; bind its topic with one of the secrets of delayjob.callback.secrets";
        }
        if (!isRecent(timestamp)) {
            return "webhook-timestamp is more than " + TOLERANCE + " away from this node's clock";
        }
        byte[] head = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
        return Arrays.stream(signatures.split(" ")).anyMatch(signature -> isOurs(signature, head, body))
                ? null
                : "webhook-signature is none of delayjob.callback.secrets";
    }

    private static boolean isRecent(String timestamp) {
        try {
            Instant signed = Instant.ofEpochSecond(Long.parseLong(timestamp));
            return Duration.between(signed, Instant.now()).abs().compareTo(TOLERANCE) <= 0;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private boolean isOurs(String signature, byte[] head, byte[] body) {
        byte[] given = signature.getBytes(StandardCharsets.UTF_8);
        return keys.stream().anyMatch(key -> MessageDigest.isEqual(given, sign(key, head, body)));
    }

    private static byte[] sign(byte[] key, byte[] head, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(head);
            return ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no HmacSHA256", e);
        }
    }
}

package io.delayjob.delivery.internal.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs calls as Standard Webhooks v1 says: HMAC-SHA256 of id, time and body, once with each secret. */
final class Signature {

    private static final String PREFIX = "whsec_";

    private Signature() {}

    /**
     * The id of a job as it is signed: the same for each attempt. Its dots are percent-encoded, because a dot ends the id in what is signed, so
     * that one id and its time cannot be taken for another.
     */
    static String id(String job) {
        return header(job).replace(".", "%2E");
    }

    /** A text as a header can have it: what is not visible ASCII is percent-encoded. */
    static String header(String text) {
        StringBuilder out = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b > ' ' && b < 127 && b != '%') {
                out.append((char) b);
            } else {
                out.append(String.format("%%%02X", b));
            }
        }
        return out.toString();
    }

    /** The value of {@code webhook-signature}. */
    static String of(List<String> secrets, String id, long seconds, byte[] body) {
        byte[] head = (id + "." + seconds + ".").getBytes(StandardCharsets.UTF_8);
        return secrets.stream()
                .map(secret -> "v1," + sign(key(secret), head, body))
                .collect(Collectors.joining(" "));
    }

    private static byte[] key(String secret) {
        return Base64.getDecoder().decode(secret.substring(PREFIX.length()));
    }

    private static String sign(byte[] key, byte[] head, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(head);
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no HmacSHA256", e);
        }
    }
}

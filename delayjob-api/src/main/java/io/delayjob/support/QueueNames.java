package io.delayjob.support;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names queues after free text. */
public final class QueueNames {

    private static final String DIGEST = "_";
    private static final int DIGEST_BYTES = 16;

    private QueueNames() {}

    /**
     * The queue of a text: named by prefix and text, or, if that is not the name of a queue or the text begins with an underscore, by prefix,
     * underscore and the digest of the text. Different texts have different queues.
     *
     * @param prefix at most 31 characters of a queue's name
     */
    public static String of(String prefix, String text) {
        String queue = prefix + text;
        return Checks.isQueue(queue) && !text.startsWith(DIGEST) ? queue : prefix + DIGEST + digest(text);
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}

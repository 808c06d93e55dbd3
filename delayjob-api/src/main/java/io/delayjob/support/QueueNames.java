package io.delayjob.support;

/** Names queues after free text. */
public final class QueueNames {

    private static final String DIGEST = "_";
    private static final int DIGEST_LENGTH = 32;

    private QueueNames() {}

    /**
     * The queue of a text: named by prefix and text, or, if that is not the name of a queue or the text begins with an underscore, by prefix,
     * underscore and the digest of the text. Different texts have different queues.
     *
     * @param prefix at most 31 characters of a queue's name
     */
    public static String of(String prefix, String text) {
        String queue = prefix + text;
        return Checks.isQueue(queue) && !text.startsWith(DIGEST)
                ? queue
                : prefix + DIGEST + Digests.sha256(text).substring(0, DIGEST_LENGTH);
    }
}

package io.delayjob.reliability.harness;

import java.util.concurrent.CompletableFuture;

/** Which requests lose their reply, and how many still do. */
final class LostReplies {

    private final String needle;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private int left;

    LostReplies(String needle, int times) {
        this.needle = needle;
        this.left = times;
    }

    CompletableFuture<Void> done() {
        return done;
    }

    boolean matches(String request) {
        return left > 0 && request.contains(needle);
    }

    void one() {
        if (--left == 0) {
            done.complete(null);
        }
    }
}

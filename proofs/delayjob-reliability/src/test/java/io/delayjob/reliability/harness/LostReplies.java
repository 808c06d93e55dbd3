package io.delayjob.reliability.harness;

import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** Which requests lose their reply, and how many still do. */
final class LostReplies {

    private final Pattern request;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private int left;

    LostReplies(Pattern request, int times) {
        this.request = request;
        this.left = times;
    }

    CompletableFuture<Void> done() {
        return done;
    }

    boolean matches(String sent) {
        return left > 0 && request.matcher(sent).find();
    }

    void one() {
        if (--left == 0) {
            done.complete(null);
        }
    }
}

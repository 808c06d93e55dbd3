package io.delayjob.engine.internal.calls;

import static org.awaitility.Awaitility.await;

import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** The calls of a lane as the other side sees them; each is answered by the test. */
final class SentCalls {

    private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();

    /** One call. */
    record Sent(Call call, List<String> values, CompletableFuture<List<Boolean>> answer) {

        void succeed() {
            answer.complete(values.stream().map(value -> true).toList());
        }

        void fail(Kind kind) {
            answer.completeExceptionally(new LedgerException(kind, "failed", new IllegalStateException()));
        }
    }

    CompletableFuture<List<Boolean>> send(Call call, List<String> values) {
        Sent now = new Sent(call, values, new CompletableFuture<>());
        sent.add(now);
        return now.answer();
    }

    boolean isEmpty() {
        return sent.isEmpty();
    }

    /** Waits for the next call. */
    Sent next() {
        return next(call -> {});
    }

    /** Waits for the next call, and answers it: what follows has then happened, on this thread. */
    Sent next(Consumer<Sent> then) {
        await().atMost(TestSettings.SOON).until(this::isAwaited);
        Sent next = sent.remove();
        then.accept(next);
        return next;
    }

    /** Whether whoever sent the next call has hung on its answer already. */
    private boolean isAwaited() {
        Sent next = sent.peek();
        return next != null && next.answer().getNumberOfDependents() > 0;
    }
}

package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.LedgerException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The number and answer of the last call of each lane, kept for ten minutes. */
final class Memos {

    private static final long KEPT_MILLIS = 600_000;

    private final Map<String, Memo> byLane = new LinkedHashMap<>();

    private record Memo(long number, Object answer, long untilMillis) {}

    /** Runs a step, or returns the first answer to a repeat. */
    @SuppressWarnings("unchecked")
    <A> A once(Call call, long now, Supplier<A> step) {
        Object known = recall(call);
        return known != null ? (A) known : remember(call, now, step.get());
    }

    /** The answer to a repeated call; null for a new one. Throws for a call that was overtaken. */
    @Nullable Object recall(Call call) {
        Memo memo = byLane.get(call.lane());
        if (memo == null || memo.number() < call.number()) {
            return null;
        }
        if (memo.number() > call.number()) {
            String message = "call " + call.number() + " was overtaken by call " + memo.number();
            throw new LedgerException(LedgerException.Kind.REFUSED, message, new IllegalStateException(message));
        }
        return memo.answer();
    }

    <A> A remember(Call call, long now, A answer) {
        byLane.remove(call.lane());
        byLane.put(call.lane(), new Memo(call.number(), answer, now + KEPT_MILLIS));
        Iterator<Memo> oldest = byLane.values().iterator();
        while (oldest.hasNext() && oldest.next().untilMillis() <= now) {
            oldest.remove();
        }
        return answer;
    }
}

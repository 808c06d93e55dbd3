package io.delayjob.engine.internal.administering;

import io.delayjob.Limits;
import io.delayjob.engine.ledger.ShardLimits.Begins;
import io.delayjob.engine.ledger.ShardLimits.KeyView;
import io.delayjob.engine.ledger.ShardLimits.View;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says which limit holds a due job back.
 *
 * @param view the limits of its shard
 * @param key its key; null if it has none
 * @param isOneOfSeveral whether its queue has several shards
 */
record HeldBack(View view, @Nullable KeyView key, boolean isOneOfSeveral) {

    /** The limit as a sentence, with who has its permits and when the job may begin at the earliest; null if none holds the job back. */
    @Nullable String why(String queue, String id, long nowMillis) {
        String ofKey = key == null ? null : ofKey(key, id, nowMillis);
        return ofKey == null ? ofQueue(queue, nowMillis) : ofKey;
    }

    private @Nullable String ofKey(KeyView its, String id, long nowMillis) {
        String name = "key '" + its.key() + "'";
        Limits terms = terms(its);
        int most = terms.mostAtOnce();
        if (its.paused()) {
            return name + " is paused: resume it";
        }
        if (!its.dead().isEmpty()) {
            return name + " waits for jobs that are dead, because its order is STRICT_HOLD: redrive or purge "
                    + String.join(", ", its.dead());
        }
        if (its.running() >= most) {
            return name + " runs as many jobs at once as it may, " + most + ": "
                    + named(its.holders(), its.running())
                    + before(its, id);
        }
        String begins = begins(its.begins(), name, nowMillis);
        return begins == null ? null : begins + before(its, id);
    }

    private static String before(KeyView its, String id) {
        return its.next() == null || its.next().equals(id) ? "" : "; of those that wait, '" + its.next() + "' is next";
    }

    private Limits terms(KeyView its) {
        Limits each = view.effective().perKey();
        return its.own() != null ? its.own() : each == null ? Limits.NONE : each;
    }

    private @Nullable String ofQueue(String queue, long nowMillis) {
        Integer most = view.share().concurrency();
        if (most != null && view.running() >= most) {
            return "queue '" + queue + "' runs as many jobs at once as it may"
                    + (isOneOfSeveral ? " in the shard of this one, " : ", ") + most + ": "
                    + named(view.holders(), view.running());
        }
        return begins(view.begins(), "queue '" + queue + "'", nowMillis);
    }

    private static @Nullable String begins(Begins begins, String whose, long nowMillis) {
        if (begins.millis() <= nowMillis) {
            return null;
        }
        return "the next job of " + whose + " may begin at " + Instant.ofEpochMilli(begins.millis())
                + " at the earliest, because "
                + switch (begins.because()) {
                    case TIME -> "the order is strict, and the job before waits for its time or its next attempt";
                    case SLOWED -> "a handler was told to slow down";
                    case RATE -> "of its rate";
                };
    }

    private static String named(List<String> ids, int count) {
        return String.join(", ", ids) + (count > ids.size() ? " and more" : "");
    }
}

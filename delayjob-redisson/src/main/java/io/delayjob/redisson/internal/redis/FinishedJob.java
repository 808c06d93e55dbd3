package io.delayjob.redisson.internal.redis;

import io.delayjob.Progress;
import io.delayjob.engine.ledger.Attempt;
import org.jspecify.annotations.Nullable;

/** The outcome of a retained job, in the format of include/retain.lua. Missing or invalid fields are null or 0. */
record FinishedJob(
        Attempt attempt,
        @Nullable Progress progress,
        @Nullable String result) {

    static FinishedJob unpack(String packed) {
        int line = packed.indexOf('\n');
        String head = packed.substring(0, Math.max(0, line));
        Fields fields = new Fields(head, "text");
        Integer attempt = fields.count("attempt");
        return new FinishedJob(
                new Attempt(attempt == null ? 0 : attempt, fields.millis("due"), fields.millis("claimed"), null),
                progress(fields),
                Facts.present(packed.substring(line + 1)));
    }

    /** Reads a progress in the format of the scripts; null if it is invalid. */
    static @Nullable Progress progress(String packed) {
        return progress(new Fields(packed, "text"));
    }

    private static @Nullable Progress progress(Fields fields) {
        Integer percent = fields.count("percent");
        String text = fields.text("text");
        try {
            return percent == null ? null : new Progress(percent, text == null ? "" : text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    static String pack(Progress progress) {
        return "percent=" + progress.percent() + "|text=" + progress.text();
    }
}

package io.delayjob.server.internal.claims;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.delayjob.JobSettlement;
import io.delayjob.Progress;
import io.delayjob.server.web.Body;
import io.delayjob.server.web.Required;
import io.delayjob.server.web.ServerJson;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Attempts to settle.
 *
 * @param settlements 1 to 1000
 */
record SettlementsBody(@Required List<Settlement> settlements) implements Body {

    /** An action on an attempt. */
    enum Action {
        @JsonProperty("complete")
        COMPLETE,
        @JsonProperty("retry")
        RETRY,
        @JsonProperty("bury")
        BURY,
        @JsonProperty("release")
        RELEASE,
        @JsonProperty("extend")
        EXTEND,
        @JsonProperty("progress")
        PROGRESS;

        private String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * How far an attempt is.
     *
     * @param percent 0 to 100
     * @param text a line for people; empty if left out
     */
    record ProgressBody(@Required int percent, @Nullable String text) {}

    /**
     * One attempt.
     *
     * @param handle the handle of the attempt
     * @param action the action on the attempt
     * @param delay the wait before the next attempt, to {@code retry}, the backoff if left out; or to {@code release} with {@code slowKey}, for how long no job with
     *     its key begins, or none of its queue without a key
     * @param error why it failed; to {@code retry} and {@code bury}
     * @param result any JSON; only to {@code complete}, none if left out
     * @param lease the lease from now; only to {@code extend}
     * @param progress how far it is; only to report {@code progress}
     * @param slowKey whether no job with its key, or none of its queue without a key, begins for the {@code delay}, because the worker was told to slow
     *     down; only to {@code release}
     */
    record Settlement(
            @Required String handle,

            @Required Action action,

            @Nullable Duration delay,
            @Nullable String error,
            @Nullable JsonNode result,
            @Nullable Duration lease,
            @Nullable ProgressBody progress,
            @Nullable Boolean slowKey) {

        private static final String NO_ERROR = "the worker gave no error";

        /**
         * The settlement.
         *
         * @throws IllegalArgumentException if a value is not allowed, or of another action; the message names it
         */
        JobSettlement settlement() {
            boolean slows = Boolean.TRUE.equals(slowKey);
            refuse(slowKey, "slowKey", Action.RELEASE);
            if (delay != null && action == Action.RELEASE && !slows) {
                throw new IllegalArgumentException(
                        "delay belongs to release only with \"slowKey\": true; add that, or leave delay out");
            }
            refuse(delay, "delay", Action.RETRY, Action.RELEASE);
            refuse(error, "error", Action.RETRY, Action.BURY);
            refuse(result, "result", Action.COMPLETE);
            refuse(lease, "lease", Action.EXTEND);
            refuse(progress, "progress", Action.PROGRESS);
            String why = error == null ? NO_ERROR : error;
            return switch (action) {
                case COMPLETE -> new JobSettlement.Complete(handle, ServerJson.text(result));
                case RETRY -> new JobSettlement.Retry(handle, delay, why);
                case BURY -> new JobSettlement.Bury(handle, why);
                case RELEASE -> new JobSettlement.Release(handle, slows ? slowTime() : null);
                case EXTEND -> new JobSettlement.Extend(handle, needed(lease, "lease"));
                case PROGRESS -> new JobSettlement.Report(handle, progress(needed(progress, "progress")));
            };
        }

        private Duration slowTime() {
            return Checks.positive(
                    needed(
                            delay,
                            "delay with slowKey: for how long no job of its key begins; add it, or leave slowKey out"),
                    "delay");
        }

        private static Progress progress(ProgressBody body) {
            return new Progress(body.percent(), body.text() == null ? "" : body.text());
        }

        private <T> T needed(@Nullable T value, String name) {
            if (value == null) {
                throw new IllegalArgumentException(action.label() + " needs " + name);
            }
            return value;
        }

        private void refuse(@Nullable Object value, String name, Action... takers) {
            if (value != null && !List.of(takers).contains(action)) {
                throw new IllegalArgumentException(name + " does not belong to " + action.label() + "; leave it out");
            }
        }
    }
}

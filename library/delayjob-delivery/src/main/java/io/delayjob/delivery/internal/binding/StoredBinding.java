package io.delayjob.delivery.internal.binding;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.Maker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Redis entry of a topic: a binding made at run time, or, without a target, the changes made to a binding of a property or bean.
 *
 * @param closed why it was unbound; null if it was not
 * @param maker the name of the {@link Maker} that bound it; null for the application itself
 * @param others the fields of another release, which stay when it is paused, resumed or closed
 */
record StoredBinding(
        @Nullable String queue,
        @Nullable String target,
        @Nullable Integer calls,
        @Nullable Integer perSecond,
        @Nullable Long timeoutMillis,
        @Nullable List<String> secrets,
        boolean everyInstance,
        boolean paused,
        @Nullable String closed,
        @Nullable String maker,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> others) {

    private static final StoredBinding NONE =
            new StoredBinding(null, null, null, null, null, null, false, false, null, null, Map.of());

    /** One that was made at run time. */
    static StoredBinding of(Binding binding, Maker maker) {
        return new StoredBinding(
                binding.queue(),
                binding.target(),
                binding.calls(),
                binding.perSecond(),
                binding.timeout().toMillis(),
                binding.secrets(),
                binding.everyInstance(),
                false,
                null,
                maker.name(),
                Map.of());
    }

    /** Of a binding that a property or bean made. */
    static StoredBinding ofConfigured() {
        return NONE;
    }

    StoredBinding paused(boolean now) {
        return new StoredBinding(
                queue, target, calls, perSecond, timeoutMillis, secrets, everyInstance, now, closed, maker, others);
    }

    StoredBinding closed(@Nullable String why) {
        return new StoredBinding(
                queue, target, calls, perSecond, timeoutMillis, secrets, everyInstance, paused, why, maker, others);
    }

    /** Whether it says nothing. */
    boolean isNothing() {
        return equals(NONE);
    }

    /** The binding; null if it is that of a property or bean. */
    @Nullable Binding binding(String topic) {
        return target == null
                ? null
                : new Binding(
                        topic,
                        queue,
                        target,
                        calls == null ? Binding.DEFAULT_CALLS : calls,
                        perSecond,
                        timeoutMillis == null ? Binding.DEFAULT_TIMEOUT : Duration.ofMillis(timeoutMillis),
                        secrets == null ? List.of() : secrets,
                        everyInstance);
    }
}

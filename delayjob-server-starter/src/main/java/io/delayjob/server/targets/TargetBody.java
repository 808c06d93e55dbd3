package io.delayjob.server.targets;

import io.delayjob.delivery.Binding;
import io.delayjob.server.web.Body;
import io.delayjob.server.web.Required;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The target of a topic.
 *
 * @param target the address, as a URI
 * @param queue the queue of the jobs, which has no jobs of other topics; the topic's name if left out
 * @param calls how many calls each server may have under way at once; 16 if left out
 * @param perSecond how many calls each server may begin in a second; no limit if left out
 * @param timeout how long a call may take; 15 s if left out
 * @param secrets the secrets that sign calls, the newest first; those that it has, which nobody is shown, if left out, and none if empty
 * @param everyInstance whether a job goes to every instance of a service; to one if left out
 */
public record TargetBody(
        @Required String target,
        @Nullable String queue,
        @Nullable Integer calls,
        @Nullable Integer perSecond,
        @Nullable Duration timeout,
        @Nullable List<String> secrets,
        @Nullable Boolean everyInstance)
        implements Body {

    /**
     * The binding that it asks for.
     *
     * @param now the present binding of the topic
     */
    Binding binding(String topic, Optional<Binding> now) {
        return new Binding(
                topic,
                queue,
                target,
                calls == null ? Binding.DEFAULT_CALLS : calls,
                perSecond,
                timeout == null ? Binding.DEFAULT_TIMEOUT : timeout,
                secrets == null ? now.map(Binding::secrets).orElse(List.of()) : secrets,
                Boolean.TRUE.equals(everyInstance));
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return "TargetBody[]";
    }
}

package io.delayjob.server.targets;

import io.delayjob.delivery.Binding;
import io.delayjob.server.web.Body;
import io.delayjob.server.web.Required;
import io.delayjob.support.Checks;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
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
 * @param secrets the secrets that sign calls, the newest first; those that it has, which nobody is shown, if left out and the receiver is the same; none if empty
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
        Binding made = binding(topic, secrets == null ? List.of() : secrets);
        return secrets == null && now.isPresent() ? binding(topic, kept(now.get(), made)) : made;
    }

    private Binding binding(String topic, List<String> its) {
        return new Binding(
                topic,
                queue,
                target,
                calls == null ? Binding.DEFAULT_CALLS : calls,
                perSecond,
                timeout == null ? Binding.DEFAULT_TIMEOUT : timeout,
                its,
                Boolean.TRUE.equals(everyInstance));
    }

    /** The secrets that a topic keeps. They are for one receiver: by calls to another, that one would learn to sign as this server does. */
    private static List<String> kept(Binding now, Binding made) {
        if (!now.secrets().isEmpty() && !isSameReceiver(made.uri(), now.uri())) {
            throw new IllegalArgumentException(
                    "secrets must be given, because %s is another receiver than before: those of the receiver, or none for calls that are not signed"
                            .formatted(Checks.shown(TargetView.withoutQuery(made.target()))));
        }
        return now.secrets();
    }

    private static boolean isSameReceiver(URI target, URI before) {
        return Objects.equals(target.getScheme(), before.getScheme())
                && Objects.equals(target.getRawAuthority(), before.getRawAuthority());
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return "TargetBody[]";
    }
}

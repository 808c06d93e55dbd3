package io.delayjob.delivery.autoconfigure;

import io.delayjob.delivery.Binding;
import io.delayjob.spring.InvalidConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Delivery to targets.
 *
 * @param enabled Whether this application delivers jobs to targets, and knows what topics are bound to.
 * @param topics What topics are bound to, by topic. If not set, none by configuration.
 * @param http Calls over HTTP.
 * @param noInstanceTimeout How long a job waits for a service that is known to have no instance. Then it is dead.
 * @param delayHeader Name of the header with which messages to a broker that the application sends wait in delayjob: milliseconds, or a
 *     duration such as PT30S. If not set, none do.
 */
@ConfigurationProperties("delayjob.delivery")
public record DelayJobDeliveryProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue Map<String, Topic> topics,
        @DefaultValue Http http,
        @DefaultValue("10m") Duration noInstanceTimeout,
        @Nullable String delayHeader) {

    /**
     * What a topic is bound to.
     *
     * @param target Address that the jobs of the topic are delivered to, as a URI such as https://example.com/hook.
     * @param queue Queue of the jobs, which has no jobs of other topics. If not set, it is the one of the topic's name.
     * @param calls How many calls each node may have under way at once, 1 to 1000.
     * @param perSecond How many calls each node may begin in a second. If not set, there is no limit.
     * @param timeout How long a call may take, 100 ms to 10 m.
     * @param secrets What calls are signed with, the newest first: whsec_ followed by base64 of 24 to 64 bytes. If not set, they are not
     *     signed.
     * @param everyInstance Whether a job goes to every instance of a service, and not to one of them.
     */
    public record Topic(
            @Nullable String target,
            @Nullable String queue,
            @DefaultValue("16") int calls,
            @Nullable Integer perSecond,
            @DefaultValue("15s") Duration timeout,
            @DefaultValue List<String> secrets,
            @DefaultValue("false") boolean everyInstance) {}

    /**
     * Calls over HTTP.
     *
     * @param allowedHosts The only hosts that may be called: names, or *. and the end of names. If not set, all hosts whose addresses are
     *     public.
     * @param openNetworks Networks that may be called although they are not public, such as 10.1.0.0/16. If not set, none.
     * @param maxRetryAfter The longest wait that a target is granted by its Retry-After.
     */
    public record Http(
            @DefaultValue List<String> allowedHosts,
            @DefaultValue List<String> openNetworks,
            @DefaultValue("1h") Duration maxRetryAfter) {}

    Map<String, Binding> bindings() {
        Map<String, Binding> bindings = new TreeMap<>();
        topics.forEach((topic, stated) -> bindings.put(topic, binding(topic, stated)));
        return bindings;
    }

    private static Binding binding(String topic, Topic stated) {
        String property = "delayjob.delivery.topics." + topic;
        if (stated.target() == null) {
            throw new InvalidConfigurationException(property + ".target is missing", null);
        }
        try {
            return new Binding(
                    topic,
                    stated.queue(),
                    stated.target(),
                    stated.calls(),
                    stated.perSecond(),
                    stated.timeout(),
                    stated.secrets(),
                    stated.everyInstance());
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(property + ": " + e.getMessage(), e);
        }
    }
}

package io.delayjob.delivery;

import io.delayjob.support.Checks;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Binds a topic to a target: due jobs of the topic are delivered there instead of being run by a bean. A topic has a queue of its own,
 * in which its jobs wait as long as the target cannot take them. Immutable; each {@code with…} method returns a changed copy.
 *
 * @param topic the topic of the jobs
 * @param queue the queue of the jobs, which has no jobs of other topics; null for one of the topic's own name
 * @param target the address, as a URI; its scheme says which transport delivers there, such as {@code https://example.com/hook} or
 *     {@code lb://billing/hook}
 * @param calls how many calls each node may have under way at once, 1 to 1000
 * @param perSecond how many calls each node may begin in a second, on average, and at once after a quiet second; null for no limit
 * @param timeout how long a call may take, 100 ms to 10 min
 * @param secrets the secrets that sign the calls, the newest first; empty for no signature. Each is {@code whsec_} followed by base64 of 24 to
 *     64 bytes
 * @param everyInstance whether a job goes to every instance of a service, and not to one of them
 */
public record Binding(
        String topic,
        @Nullable String queue,
        String target,
        int calls,
        @Nullable Integer perSecond,
        Duration timeout,
        List<String> secrets,
        boolean everyInstance) {

    /** How many calls each node may have under way at once, if nothing else is said. */
    public static final int DEFAULT_CALLS = 16;

    /** How long a call may take, if nothing else is said. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(15);

    private static final int MOST_CALLS = 1000;
    private static final int MOST_PER_SECOND = 1_000_000;
    private static final int MOST_SECRETS = 10;
    private static final String SECRET = "whsec_";
    private static final int SHORTEST_SECRET = 24;
    private static final int LONGEST_SECRET = 64;
    private static final int LONGEST_TARGET = 2048;
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(100);
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is out of range; the message names it
     */
    public Binding {
        Checks.jobName(topic);
        queue = queue == null ? queueOf(topic) : Checks.queue(queue);
        checkTarget(topic, target);
        if (calls < 1 || calls > MOST_CALLS) {
            throw new IllegalArgumentException("calls must be 1 to " + MOST_CALLS + ": " + calls);
        }
        if (perSecond != null && (perSecond < 1 || perSecond > MOST_PER_SECOND)) {
            throw new IllegalArgumentException("perSecond must be 1 to " + MOST_PER_SECOND + ": " + perSecond);
        }
        if (timeout == null || timeout.compareTo(SHORTEST_TIMEOUT) < 0 || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "timeout must be " + SHORTEST_TIMEOUT + " to " + LONGEST_TIMEOUT + ": " + timeout);
        }
        secrets = List.copyOf(Checks.notNull(secrets, "secrets"));
        if (secrets.size() > MOST_SECRETS) {
            throw new IllegalArgumentException("there must be at most " + MOST_SECRETS + " secrets: " + secrets.size());
        }
        secrets.forEach(Binding::checkSecret);
    }

    /** Says nothing of the secret but its length. */
    private static void checkSecret(String secret) {
        int bytes;
        try {
            bytes = secret.startsWith(SECRET)
                    ? Base64.getDecoder().decode(secret.substring(SECRET.length())).length
                    : -1;
        } catch (IllegalArgumentException e) {
            bytes = -1;
        }
        if (bytes < SHORTEST_SECRET || bytes > LONGEST_SECRET) {
            throw new IllegalArgumentException("a secret must be " + SECRET + " followed by base64 of "
                    + SHORTEST_SECRET + " to " + LONGEST_SECRET + " bytes; this one "
                    + (bytes < 0 ? "is not" : "has " + bytes + " bytes"));
        }
    }

    private static String queueOf(String topic) {
        if (!Checks.isQueue(topic)) {
            throw new IllegalArgumentException(
                    "topic " + Checks.shown(topic)
                            + " is not the name of a queue, which has 1 to 64 of A-Z a-z 0-9 . _ -; state the queue of its jobs");
        }
        return topic;
    }

    private static void checkTarget(String topic, @Nullable String target) {
        if (target == null || target.isBlank() || target.length() > LONGEST_TARGET) {
            throw new IllegalArgumentException("the target of topic " + Checks.shown(topic) + " must have 1 to "
                    + LONGEST_TARGET + " characters: " + Checks.shown(target));
        }
        try {
            if (new URI(target).getScheme() == null) {
                throw new IllegalArgumentException("the target of topic " + Checks.shown(topic) + " has no scheme: "
                        + Checks.shown(target) + "; write it as in https://example.com/hook");
            }
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "the target of topic " + Checks.shown(topic) + " is not a URI: " + Checks.shown(target) + ": "
                            + e.getReason(),
                    e);
        }
    }

    /**
     * A binding with the defaults: 16 calls at once, no limit per second, 15 s for each, no signature, one instance.
     *
     * @param topic the topic of the jobs
     * @param target the address, as a URI
     * @return the binding
     * @throws IllegalArgumentException if one is malformed; the message names it
     */
    public static Binding of(String topic, String target) {
        return of(topic, null, target);
    }

    /**
     * A binding with the same defaults, whose jobs have a queue of another name than the topic's.
     *
     * @param topic the topic of the jobs
     * @param queue the queue of the jobs; null for one of the topic's own name
     * @param target the address, as a URI
     * @return the binding
     * @throws IllegalArgumentException if one is malformed; the message names it
     */
    public static Binding of(String topic, @Nullable String queue, String target) {
        return new Binding(topic, queue, target, DEFAULT_CALLS, null, DEFAULT_TIMEOUT, List.of(), false);
    }

    /**
     * The queue of its jobs.
     *
     * @return its name
     */
    @Override
    public String queue() {
        return queue == null ? topic : queue;
    }

    /**
     * The scheme of the target, in lower case.
     *
     * @return the scheme, such as {@code https}
     */
    public String scheme() {
        return String.valueOf(uri().getScheme()).toLowerCase(Locale.ROOT);
    }

    /**
     * The target.
     *
     * @return as a URI
     */
    public URI uri() {
        return URI.create(target);
    }

    /**
     * The binding with another queue.
     *
     * @param newQueue the queue of the jobs, 1 to 64 of {@code A-Z a-z 0-9 . _ -}
     */
    public Binding withQueue(String newQueue) {
        return new Binding(topic, newQueue, target, calls, perSecond, timeout, secrets, everyInstance);
    }

    /**
     * The binding with another number of calls.
     *
     * @param newCalls how many calls each node may have under way at once, 1 to 1000
     */
    public Binding withCalls(int newCalls) {
        return new Binding(topic, queue, target, newCalls, perSecond, timeout, secrets, everyInstance);
    }

    /**
     * The binding with a rate.
     *
     * @param newPerSecond how many calls each node may begin in a second; null for no limit
     */
    public Binding withPerSecond(@Nullable Integer newPerSecond) {
        return new Binding(topic, queue, target, calls, newPerSecond, timeout, secrets, everyInstance);
    }

    /**
     * The binding with another timeout.
     *
     * @param newTimeout how long a call may take, 100 ms to 10 min
     */
    public Binding withTimeout(Duration newTimeout) {
        return new Binding(topic, queue, target, calls, perSecond, newTimeout, secrets, everyInstance);
    }

    /**
     * The binding with secrets.
     *
     * @param newSecrets the secrets that sign the calls, the newest first; each {@code whsec_} followed by base64 of 24 to 64 bytes
     */
    public Binding withSecrets(String... newSecrets) {
        return new Binding(topic, queue, target, calls, perSecond, timeout, List.of(newSecrets), everyInstance);
    }

    /**
     * The binding to one instance of a service, or to every one.
     *
     * @param newEveryInstance whether a job goes to every instance
     */
    public Binding withEveryInstance(boolean newEveryInstance) {
        return new Binding(topic, queue, target, calls, perSecond, timeout, secrets, newEveryInstance);
    }

    /** The binding without its secrets, and without what of the address may be one. */
    @Override
    public String toString() {
        return "Binding[topic=" + topic + ", queue=" + queue + ", target=" + target.replaceAll("[?].*", "?…") + "]";
    }
}

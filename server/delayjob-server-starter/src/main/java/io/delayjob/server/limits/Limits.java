package io.delayjob.server.limits;

import org.jspecify.annotations.Nullable;

/**
 * How much a caller may ask of one server.
 *
 * @param requestsPerSecond the requests a second; null for as many as others may
 * @param bytesPerSecond the bytes of bodies a second; null for as many as others may
 */
public record Limits(
        @Nullable Integer requestsPerSecond, @Nullable Long bytesPerSecond) {

    /** The prefix of the properties of all limits. */
    public static final String PROPERTIES = "delayjob.server.limits.";

    /** No limits of the caller's own: the server's limits apply. */
    public static final Limits DEFAULT = new Limits(null, null);

    private static final int MOST_REQUESTS = 1_000_000;
    private static final long MOST_BYTES = 1_000_000_000;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is out of range; the message names it
     */
    public Limits {
        check("requestsPerSecond", requestsPerSecond, MOST_REQUESTS);
        check("bytesPerSecond", bytesPerSecond, MOST_BYTES);
    }

    private static void check(String name, @Nullable Number value, long most) {
        if (value != null && (value.longValue() < 1 || value.longValue() > most)) {
            throw new IllegalArgumentException(name + " must be 1 to " + most + ": " + value);
        }
    }

    /**
     * These limits, and others where these say nothing.
     *
     * @param others the others
     * @return the limits
     */
    public Limits or(Limits others) {
        return new Limits(
                requestsPerSecond == null ? others.requestsPerSecond : requestsPerSecond,
                bytesPerSecond == null ? others.bytesPerSecond : bytesPerSecond);
    }
}

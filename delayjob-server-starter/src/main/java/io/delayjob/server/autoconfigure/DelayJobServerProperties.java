package io.delayjob.server.autoconfigure;

import io.delayjob.server.internal.claims.ClaimBounds;
import io.delayjob.support.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the HTTP API.
 *
 * @param enabled Whether this application serves the HTTP API.
 * @param adminToken First token, which may do everything. If not set, and there is no token yet, one is made and printed once.
 * @param authentication Who says what a caller may do: the API's tokens, Spring Security, or both. By default Spring Security in an
 *     application that has it, else tokens.
 * @param maxBodySize Largest body of a request.
 * @param bodyTimeout How long the body of a request may take to arrive.
 * @param limits How much callers may ask of this server.
 * @param security What those may do whom Spring Security has authenticated.
 * @param events The stream of events.
 */
@ConfigurationProperties("delayjob.server")
record DelayJobServerProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String adminToken,
        @DefaultValue("auto") Authentication authentication,
        @DefaultValue("8MB") DataSize maxBodySize,
        @DefaultValue("30s") Duration bodyTimeout,
        @DefaultValue Limits limits,
        @DefaultValue Security security,
        @DefaultValue Events events) {

    DelayJobServerProperties {
        Checks.positive(bodyTimeout, "delayjob.server.body-timeout");
    }

    /**
     * How much callers may ask of this server.
     *
     * @param requestsPerSecond Requests a second of a token that has no requestsPerSecond of its own.
     * @param bytesPerSecond Bytes of bodies a second of a token that has no bytesPerSecond of its own.
     * @param burst How many seconds' worth of requests and of bytes may come at once.
     * @param failedLoginsPerMinute Wrong tokens of an address that are looked up in a minute.
     * @param waitingClaims Claims that wait.
     * @param waitingClaimsPerToken Claims of a token that wait.
     * @param claimedQueues Queues with a claim within the last minute.
     * @param eventStreamsPerToken How often a token may follow events at once.
     */
    record Limits(
            @DefaultValue("2000") int requestsPerSecond,
            @DefaultValue("32MB") DataSize bytesPerSecond,
            @DefaultValue("10s") Duration burst,
            @DefaultValue("60") int failedLoginsPerMinute,
            @DefaultValue("30000") int waitingClaims,
            @DefaultValue("15000") int waitingClaimsPerToken,
            @DefaultValue("200") int claimedQueues,
            @DefaultValue("100") int eventStreamsPerToken) {

        private static final String NAME = io.delayjob.server.internal.limits.Limits.PROPERTIES;

        Limits {
            Checks.positive(burst, NAME + "burst");
            Checks.atLeastOne(failedLoginsPerMinute, NAME + "failed-logins-per-minute");
            Checks.atLeastOne(waitingClaims, NAME + "waiting-claims");
            Checks.atLeastOne(waitingClaimsPerToken, NAME + "waiting-claims-per-token");
            Checks.atLeastOne(claimedQueues, NAME + "claimed-queues");
            Checks.atLeastOne(eventStreamsPerToken, NAME + "event-streams-per-token");
        }

        io.delayjob.server.internal.limits.Limits defaults() {
            return new io.delayjob.server.internal.limits.Limits(requestsPerSecond, bytesPerSecond.toBytes());
        }

        ClaimBounds claims() {
            return new ClaimBounds(waitingClaims, waitingClaimsPerToken, claimedQueues);
        }
    }

    /**
     * What those may do whom Spring Security has authenticated.
     *
     * @param authorityPrefix What authorities begin with that name a role, such as SCOPE_delayjob.submit.
     * @param queuesClaim Claim of a JSON Web Token that lists the queues of its bearer: names, or beginnings of names and *. Without it, all.
     */
    record Security(
            @DefaultValue("SCOPE_delayjob.") String authorityPrefix,
            @DefaultValue("delayjob_queues") String queuesClaim) {}

    /**
     * The stream of events.
     *
     * @param maxSubscribers How many may follow the events of this server at once.
     * @param kept How many events Redis keeps for those who come back, more or less.
     */
    record Events(
            @DefaultValue("200") int maxSubscribers,
            @DefaultValue("10000") int kept) {

        Events {
            check("max-subscribers", maxSubscribers, 0, 100_000);
            check("kept", kept, 100, 10_000_000);
        }

        private static void check(String name, int value, int least, int most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(
                        "delayjob.server.events.%s must be %d to %d: %d".formatted(name, least, most, value));
            }
        }
    }

    /** Where tokens decide, whether they do so alone. */
    boolean tokensAlone() {
        return authentication != Authentication.BOTH;
    }

    int maxBodyBytes() {
        return Math.toIntExact(maxBodySize.toBytes());
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "DelayJobServerProperties[enabled=" + enabled + ", authentication=" + authentication + ", maxBodySize="
                + maxBodySize + ", bodyTimeout=" + bodyTimeout + ", limits=" + limits + ", security=" + security + "]";
    }
}

package io.delayjob.server.autoconfigure;

import io.delayjob.server.internal.claims.ClaimBounds;
import io.delayjob.server.web.Api;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the HTTP API.
 *
 * @param enabled Whether this application serves the HTTP API. If not set, it does, unless it has the console.
 * @param path Path of the HTTP API within the application.
 * @param adminToken First token, which may do everything. If not set, and there is no token yet, one is made and printed once.
 * @param authentication Who says what a caller may do: the API's tokens, Spring Security, or both. By default Spring Security in an
 *     application that has it, else tokens.
 * @param maxBodySize Largest body of a request.
 * @param bodyTimeout How long the body of a request may take to arrive.
 * @param limits How much callers may ask of this server.
 * @param security What those may do whom Spring Security has authenticated.
 * @param events The stream of events.
 * @param protocols The protocols of older delay queues.
 */
@ConfigurationProperties("delayjob.server")
record DelayJobServerProperties(
        @Nullable Boolean enabled,
        @DefaultValue(Api.DEFAULT_PATH) String path,
        @Nullable String adminToken,
        @DefaultValue("auto") Authentication authentication,
        @DefaultValue("8MB") DataSize maxBodySize,
        @DefaultValue("30s") Duration bodyTimeout,
        @DefaultValue Limits limits,
        @DefaultValue Security security,
        @DefaultValue Events events,
        @DefaultValue Protocols protocols) {

    DelayJobServerProperties {
        Checks.positive(bodyTimeout, "delayjob.server.body-timeout");
        if (!path.matches("(/[A-Za-z0-9._~-]+)+")) {
            throw new IllegalArgumentException(
                    "delayjob.server.path must be one or more parts, such as /api/v1: " + Checks.shown(path));
        }
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
     * @param claimedQueues Queues with a claim within the last minute, without those of topics of older protocols.
     * @param claimedQueuesPerToken Queues with a claim of a token within the last minute, without those of topics of older protocols.
     * @param poppedTopics Topics of older protocols with a pop or get within the last minute.
     * @param poppedTopicsPerToken Topics of older protocols with a pop or get of a token within the last minute.
     * @param queuesPerToken Queues and topics of older protocols that a token submits to, claims from or pauses within a day.
     * @param bindingsPerToken Topics that are bound to targets by a token, types of clients included. Administrators of all queues may bind as many as there may be.
     * @param clientsPerToken Processes that register with a token within ten minutes, to be called back.
     * @param keptAnswersPerToken Answers to requests of a token with an Idempotency-Key that are kept within a day.
     * @param eventStreamsPerToken How often a token may follow events at once.
     */
    record Limits(
            @DefaultValue("2000") int requestsPerSecond,
            @DefaultValue("32MB") DataSize bytesPerSecond,
            @DefaultValue("2s") Duration burst,
            @DefaultValue("60") int failedLoginsPerMinute,
            @DefaultValue("30000") int waitingClaims,
            @DefaultValue("15000") int waitingClaimsPerToken,
            @DefaultValue("1000") int claimedQueues,
            @DefaultValue("200") int claimedQueuesPerToken,
            @DefaultValue("1000") int poppedTopics,
            @DefaultValue("500") int poppedTopicsPerToken,
            @DefaultValue("1000") int queuesPerToken,
            @DefaultValue("100") int bindingsPerToken,
            @DefaultValue("200") int clientsPerToken,
            @DefaultValue("256MB") DataSize keptAnswersPerToken,
            @DefaultValue("100") int eventStreamsPerToken) {

        private static final String NAME = io.delayjob.server.limits.Limits.PROPERTIES;

        Limits {
            Checks.positive(burst, NAME + "burst");
            Checks.atLeastOne(failedLoginsPerMinute, NAME + "failed-logins-per-minute");
            Checks.atLeastOne(waitingClaims, NAME + "waiting-claims");
            Checks.atLeastOne(waitingClaimsPerToken, NAME + "waiting-claims-per-token");
            Checks.atLeastOne(claimedQueues, NAME + "claimed-queues");
            Checks.atLeastOne(claimedQueuesPerToken, NAME + "claimed-queues-per-token");
            Checks.atLeastOne(poppedTopics, NAME + "popped-topics");
            Checks.atLeastOne(poppedTopicsPerToken, NAME + "popped-topics-per-token");
            Checks.atLeastOne(queuesPerToken, NAME + "queues-per-token");
            Checks.atLeastOne(bindingsPerToken, NAME + "bindings-per-token");
            Checks.atLeastOne(clientsPerToken, NAME + "clients-per-token");
            if (keptAnswersPerToken.toBytes() < 1) {
                throw new IllegalArgumentException(
                        NAME + "kept-answers-per-token must be at least one byte: " + keptAnswersPerToken);
            }
            Checks.atLeastOne(eventStreamsPerToken, NAME + "event-streams-per-token");
        }

        io.delayjob.server.limits.Limits defaults() {
            return new io.delayjob.server.limits.Limits(requestsPerSecond, bytesPerSecond.toBytes());
        }

        ClaimBounds claims() {
            return new ClaimBounds(
                    waitingClaims,
                    waitingClaimsPerToken,
                    claimedQueues,
                    claimedQueuesPerToken,
                    poppedTopics,
                    poppedTopicsPerToken);
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

    /**
     * The protocols of older delay queues.
     *
     * @param queryToken Whether a token may come as the query parameter token, where it may end up in logs of proxies.
     * @param trustedNetworks Networks whose callers may submit and work without a token, such as 10.0.0.0/8. If not set, none.
     * @param delayQueue The HTTP delay queue: commands in JSON.
     * @param mykit The REST routes of mykit-delay.
     */
    record Protocols(
            @DefaultValue("false") boolean queryToken,
            @DefaultValue List<String> trustedNetworks,
            @DefaultValue DelayQueue delayQueue,
            @DefaultValue Mykit mykit) {}

    /**
     * The HTTP delay queue: commands in JSON.
     *
     * @param enabled Whether it is served.
     * @param path Path that commands are posted to.
     * @param maxAttempts How often a job is handed out before it is dead. If not set, without end.
     */
    record DelayQueue(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/protocols/delay-queue") String path,
            @Nullable Integer maxAttempts) {

        DelayQueue {
            checkPath(path, "delay-queue");
            Checks.ifGiven(
                    maxAttempts,
                    value -> Checks.atLeastOne(value, "delayjob.server.protocols.delay-queue.max-attempts"));
        }
    }

    /**
     * The REST routes of mykit-delay.
     *
     * @param enabled Whether they are served.
     * @param path Path that they are under. A slash for none.
     * @param ids Ids of messages that come without one: random, or numbers that grow with time.
     */
    record Mykit(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/protocols/mykit") String path,
            @DefaultValue("uuid") MadeIds ids) {

        Mykit {
            checkPath(path, "mykit");
        }
    }

    private static void checkPath(String path, String protocol) {
        if (!path.matches("(/[A-Za-z0-9._~-]+)*/?") || !path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "delayjob.server.protocols.%s.path must begin with a slash, such as /protocols/%s: %s"
                            .formatted(protocol, protocol, path));
        }
    }

    /** Ids that are made for messages. */
    enum MadeIds {
        /** Random, such as 3f06af63-a93c-11e4-9797-00505690773f. */
        UUID,
        /** Numbers that grow with time, such as 1797611111111111111, unique over all servers. */
        SNOWFLAKE
    }

    int maxBodyBytes() {
        return Math.toIntExact(maxBodySize.toBytes());
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "DelayJobServerProperties[enabled=" + enabled + ", path=" + path + ", authentication=" + authentication
                + ", maxBodySize="
                + maxBodySize + ", bodyTimeout=" + bodyTimeout + ", limits=" + limits + ", security=" + security
                + ", protocols=" + protocols + "]";
    }
}

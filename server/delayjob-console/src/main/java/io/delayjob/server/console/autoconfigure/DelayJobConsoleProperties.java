package io.delayjob.server.console.autoconfigure;

import io.delayjob.server.console.internal.access.AtOnce;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the console.
 *
 * @param enabled Whether this application serves the console.
 * @param path Path of the console within the application.
 * @param readOnly Whether the console only shows, whatever roles its users have.
 * @param session How long a sign-in with a token lasts.
 * @param redact Names of fields and headers whose values are never shown. Each is a regular expression for the whole name, without case.
 * @param auditKept How many entries Redis keeps of who did what, more or less; and as many of refused requests and exports. A caller has a tenth of them at most.
 * @param limits How much of the console is used at once.
 */
@ConfigurationProperties("delayjob.console")
record DelayJobConsoleProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("/console") String path,
        @DefaultValue("false") boolean readOnly,
        @DefaultValue("12h") Duration session,

        @DefaultValue({
            ".*passw(or)?d.*",
            ".*secret.*",
            ".*token.*",
            ".*api[-_]?key.*",
            "authorization",
            "cookie",
            ".*card[-_]?number",
            "cvv",
            "cvc",
            "iban",
            "pin"
        })
        List<String> redact,

        @DefaultValue("10000") int auditKept,
        @DefaultValue Limits limits) {

    /**
     * How much of the console is used at once, on this server.
     *
     * @param livePages Pages that are followed.
     * @param livePagesPerCaller Pages that a caller follows.
     * @param requests Requests of pages under way, searches and exports among them.
     * @param requestsPerCaller Requests of pages of a caller under way, searches and exports among them.
     * @param signInsPerCaller Sign-ins with the token of a caller, in Redis. A further one ends the oldest.
     */
    record Limits(
            @DefaultValue("1000") int livePages,
            @DefaultValue("50") int livePagesPerCaller,
            @DefaultValue("200") int requests,
            @DefaultValue("20") int requestsPerCaller,
            @DefaultValue("100") int signInsPerCaller) {

        private static final String NAME = "delayjob.console.limits.";

        Limits {
            Checks.atLeastOne(livePages, NAME + "live-pages");
            Checks.atLeastOne(livePagesPerCaller, NAME + "live-pages-per-caller");
            Checks.atLeastOne(requests, NAME + "requests");
            Checks.atLeastOne(requestsPerCaller, NAME + "requests-per-caller");
            Checks.atLeastOne(signInsPerCaller, NAME + "sign-ins-per-caller");
        }

        AtOnce followed() {
            return new AtOnce("pages that are followed", NAME + "live-pages", livePages, livePagesPerCaller);
        }

        AtOnce worked() {
            return new AtOnce("requests of pages under way", NAME + "requests", requests, requestsPerCaller);
        }
    }

    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._~-]+)+");

    DelayJobConsoleProperties {
        Checks.positive(session, "delayjob.console.session");
        if (!PATH.matcher(path).matches()) {
            throw new IllegalArgumentException(
                    "delayjob.console.path must be one or more parts such as /console: " + Checks.shown(path));
        }
        if (auditKept < 100 || auditKept > 1_000_000) {
            throw new IllegalArgumentException("delayjob.console.audit-kept must be 100 to 1000000: " + auditKept);
        }
    }
}

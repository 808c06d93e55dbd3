package io.delayjob.server.console.autoconfigure;

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
 * @param auditKept How many entries Redis keeps of who did what, more or less.
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

        @DefaultValue("10000") int auditKept) {

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

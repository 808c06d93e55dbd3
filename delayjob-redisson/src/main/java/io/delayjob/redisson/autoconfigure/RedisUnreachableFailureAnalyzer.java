package io.delayjob.redisson.autoconfigure;

import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisAuthRequiredException;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisWrongPasswordException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;

/** Reports in a few lines that Redis could not be reached at startup, and what to do. */
final class RedisUnreachableFailureAnalyzer extends AbstractFailureAnalyzer<RedisConnectionException> {

    /** A host and its port, such as {@code localhost/127.0.0.1:6379} and {@code [::1]:6379}, but not a time of day. */
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z.\\]][\\w.-]*:\\d{1,5}(?![\\d:])");

    private final @Nullable Environment environment;

    RedisUnreachableFailureAnalyzer(@Nullable Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, RedisConnectionException cause) {
        if (environment == null || !environment.getProperty("delayjob.enabled", Boolean.class, true)) {
            return null;
        }
        String prefix = RedisSettings.of(environment).prefix();
        SSLException tls = in(rootFailure, SSLException.class);
        if (tls != null) {
            return untrusted(tls, prefix);
        }
        return isRefused(rootFailure) ? refused(rootFailure, prefix) : unreachable(cause, prefix, environment);
    }

    private static boolean isRefused(Throwable failure) {
        return in(failure, RedisAuthRequiredException.class) != null
                || in(failure, RedisWrongPasswordException.class) != null;
    }

    private static FailureAnalysis untrusted(SSLException failure, String prefix) {
        return new FailureAnalysis(
                "Redis could not be reached over TLS: " + failure.getMessage(),
                "Let " + prefix
                        + ".ssl.bundle name a bundle whose truststore holds the authority that signed the server's"
                        + " certificate, connect to a host that the certificate names, and to the port that speaks TLS.",
                failure);
    }

    private static FailureAnalysis refused(Throwable failure, String prefix) {
        return new FailureAnalysis(
                "Redis refused the user or its password.",
                "Set " + prefix + ".username and " + prefix + ".password to what Redis knows.",
                failure);
    }

    private static FailureAnalysis unreachable(RedisConnectionException cause, String prefix, Environment environment) {
        String addressed = messageWithAddress(cause);
        String description = addressed == null
                ? place(environment, prefix) + ": "
                        + NestedExceptionUtils.getMostSpecificCause(cause).getMessage()
                : ": " + addressed;
        return new FailureAnalysis(
                "Redis could not be reached" + description,
                "Start Redis, or set " + prefix + ".host and " + prefix + ".port (or .sentinel.*, .cluster.*) to where"
                        + " it is. To start without Redis and keep trying, set delayjob.fail-fast=false.",
                cause);
    }

    /** The address by the properties, because the message about an unknown host often has no port. */
    private static String place(Environment environment, String prefix) {
        String url = environment.getProperty(prefix + ".url");
        String host = environment.getProperty(prefix + ".host");
        String nodes = environment.getProperty(
                prefix + ".sentinel.nodes", environment.getProperty(prefix + ".cluster.nodes", ""));
        if (!nodes.isEmpty()) {
            return " at " + nodes;
        } else if (url != null) {
            // Drops the user and password.
            return " at " + url.replaceFirst("^(?:[a-z]+://)?(?:.*@)?", "");
        }
        return host == null ? "" : " at " + host + ":" + environment.getProperty(prefix + ".port", "6379");
    }

    private static <T extends Throwable> @Nullable T in(Throwable failure, Class<T> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        return null;
    }

    /** The innermost message that contains an address; null if none does. The innermost message of all often has none. */
    private static @Nullable String messageWithAddress(Throwable failure) {
        String found = null;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            found = message != null && ADDRESS.matcher(message).find() ? message : found;
        }
        return found;
    }
}

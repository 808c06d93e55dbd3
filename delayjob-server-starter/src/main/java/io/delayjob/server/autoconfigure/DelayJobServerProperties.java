package io.delayjob.server.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the HTTP API.
 *
 * @param enabled Whether this application serves the HTTP API.
 * @param adminToken First token, which may do everything. If not set, and there is no token yet, one is made and printed once.
 * @param maxBodySize Largest body of a request.
 */
@ConfigurationProperties("delayjob.server")
record DelayJobServerProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String adminToken,
        @DefaultValue("8MB") DataSize maxBodySize) {

    int maxBodyBytes() {
        return Math.toIntExact(maxBodySize.toBytes());
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "DelayJobServerProperties[enabled=" + enabled + ", maxBodySize=" + maxBodySize + "]";
    }
}

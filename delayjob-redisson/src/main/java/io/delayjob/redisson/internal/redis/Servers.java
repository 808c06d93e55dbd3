package io.delayjob.redisson.internal.redis;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.redisson.config.Config;

/** Describes where a client looks for Redis, for messages: hosts and ports, without secrets. */
final class Servers {

    /** An address: scheme, user and password, then host and port, then database and settings. */
    private static final Pattern ADDRESS = Pattern.compile("(?:[a-z]+://)?(?:.*@)?([^/?]*).*");

    private Servers() {}

    static String of(Config config) {
        String named = addresses(config).stream()
                .filter(Objects::nonNull)
                .map(Servers::hostAndPort)
                .collect(Collectors.joining(", "));
        return named.isEmpty() ? "Redis" : "Redis at " + named;
    }

    private static Collection<String> addresses(Config config) {
        if (config.isSingleConfig()) {
            return Collections.singletonList(config.useSingleServer().getAddress());
        } else if (config.isSentinelConfig()) {
            return config.useSentinelServers().getSentinelAddresses();
        }
        return config.isClusterConfig() ? config.useClusterServers().getNodeAddresses() : List.of();
    }

    static String hostAndPort(String address) {
        Matcher parts = ADDRESS.matcher(address);
        return parts.matches() ? parts.group(1) : "";
    }
}

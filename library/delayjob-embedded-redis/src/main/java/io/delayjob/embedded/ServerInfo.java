package io.delayjob.embedded;

import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;

/** The pid, product and version that a server reports. */
record ServerInfo(long pid, String product, String version) {
    /** A server that wants a password first: it answers, but does not say who it is. */
    static final ServerInfo UNKNOWN = new ServerInfo(-1, "Redis", "(unknown version)");

    static ServerInfo ask(RespClient client) throws IOException {
        Map<String, String> fields = fields(client.call("INFO", "server"));
        String valkey = fields.get("valkey_version");
        long pid = Long.parseLong(fields.getOrDefault("process_id", "-1"));
        return valkey == null
                ? new ServerInfo(pid, "Redis", fields.getOrDefault("redis_version", "(unknown version)"))
                : new ServerInfo(pid, "Valkey", valkey);
    }

    boolean mayBe(long expectedPid) {
        return equals(UNKNOWN) || pid == expectedPid;
    }

    private static Map<String, String> fields(String info) {
        return info.lines()
                .map(line -> line.split(":", 2))
                .filter(field -> field.length == 2)
                .collect(Collectors.toMap(field -> field[0], field -> field[1], (first, second) -> second));
    }
}

package io.delayjob.embedded;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** What a server says about itself. */
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
        Map<String, String> fields = new HashMap<>();
        info.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        });
        return fields;
    }
}

package io.delayjob.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A master and a replica under three sentinels, which belong to one test.
 *
 * <p>The sentinels take a master for dead after a second of silence. Nothing is kept over a restart. Close it; the end of
 * the JVM does so too.
 */
public final class OwnSentinel implements AutoCloseable {
    private static final String NAME = "delayjob";
    private static final int SENTINELS = 3;
    private static final String QUORUM = "2";

    private final OwnRedis master;
    private final OwnRedis replica;
    private final List<OwnRedis> sentinels = new ArrayList<>();

    private OwnSentinel(List<String> arguments) {
        List<String> all = new ArrayList<>(Replication.ARGUMENTS);
        all.addAll(arguments);
        master = OwnRedis.start(all.toArray(String[]::new));
        all.addAll(List.of("--replicaof", "127.0.0.1", Integer.toString(master.port())));
        replica = OwnRedis.start(all.toArray(String[]::new));
    }

    /**
     * Starts all servers, and waits until they know of each other.
     *
     * @param arguments redis-server arguments of master and replica, as for {@link OwnRedis#start}
     * @return the running servers
     */
    public static OwnSentinel start(String... arguments) {
        OwnSentinel servers = new OwnSentinel(List.of(arguments));
        try {
            servers.watch();
            return servers;
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    private void watch() {
        Replication.awaitLinked(replica);
        IntStream.range(0, SENTINELS).forEach(i -> sentinels.add(OwnRedis.startSentinel(config())));
        Waiting.until("all sentinels know all servers", () -> sentinels.stream().allMatch(OwnSentinel::knowsAll));
    }

    private List<String> config() {
        return List.of(
                "sentinel monitor %s 127.0.0.1 %d %s".formatted(NAME, master.port(), QUORUM),
                "sentinel down-after-milliseconds %s 1000".formatted(NAME),
                "sentinel failover-timeout %s 5000".formatted(NAME));
    }

    private static boolean knowsAll(OwnRedis sentinel) {
        String master = sentinel.call("SENTINEL", "MASTER", NAME);
        return master.contains("num-slaves\n1\n")
                && master.contains("num-other-sentinels\n" + (SENTINELS - 1) + "\n")
                && sentinel.call("SENTINEL", "CKQUORUM", NAME).startsWith("OK");
    }

    /**
     * The server that was the master at first.
     *
     * @return the server, whatever it is now
     */
    public OwnRedis master() {
        return master;
    }

    /**
     * The server that was the replica at first.
     *
     * @return the server, whatever it is now
     */
    public OwnRedis replica() {
        return replica;
    }

    /** Kills all sentinels but the first, which then names the master, but can change nothing. */
    public void leaveOneSentinel() {
        sentinels.stream().skip(1).forEach(OwnRedis::kill);
    }

    /** Returns when the sentinels have made the replica the master. */
    public void awaitFailover() {
        Waiting.until("the replica is the master", () -> replica.call("ROLE").startsWith("master"));
    }

    /** The name under which the sentinels know the master. */
    public String masterName() {
        return NAME;
    }

    /**
     * Where the sentinels listen.
     *
     * @return {@code 127.0.0.1:<port>} of each
     */
    public List<String> sentinels() {
        return sentinels.stream()
                .map(sentinel -> "127.0.0.1:" + sentinel.port())
                .toList();
    }

    /** Kills all servers and deletes their folders. */
    @Override
    public void close() {
        sentinels.forEach(OwnRedis::close);
        replica.close();
        master.close();
    }
}

package io.delayjob.testing;

import java.util.List;

/** Lets a test control which writes a replica has: Redis replicates after it has answered. */
public final class Replication {
    /** Arguments for servers that take part: the first copy is made at once, and the link is looked at every second. */
    static final List<String> ARGUMENTS = List.of("--repl-diskless-sync", "no", "--repl-ping-replica-period", "1");

    private static final String PAUSE_MILLIS = "30000";

    private Replication() {}

    /**
     * Holds back all writes to the master, for up to 30 seconds, and returns when the replica has those that were answered.
     * A master that is killed then loses nothing that anybody was told.
     *
     * @param master answers reads only, until {@link #resume} or its end
     * @param replica of that master
     */
    public static void holdWrites(OwnRedis master, OwnRedis replica) {
        master.call("CLIENT", "PAUSE", PAUSE_MILLIS, "WRITE");
        long written = offset(master, "master_repl_offset");
        Waiting.until("the replica has what was written", () -> offset(replica, "slave_repl_offset") >= written);
    }

    /**
     * Lets the master take writes again.
     *
     * @param master the master to resume
     */
    public static void resume(OwnRedis master) {
        master.call("CLIENT", "UNPAUSE");
    }

    /**
     * Cuts a master's replica off, for good: of all that the master answered before it knows, of what comes after nothing.
     *
     * @param master goes on for its clients
     * @param replica of that master
     */
    public static void cut(OwnRedis master, OwnRedis replica) {
        holdWrites(master, replica);
        master.call("ACL", "SETUSER", "default", "-psync", "-sync");
        master.call("CLIENT", "KILL", "TYPE", "replica");
        resume(master);
    }

    static void awaitLinked(OwnRedis replica) {
        Waiting.until(
                "the replica is in step with its master",
                () -> replica.call("INFO", "replication").contains("master_link_status:up"));
    }

    private static long offset(OwnRedis server, String name) {
        return Long.parseLong(Info.field(server.call("INFO", "replication"), name));
    }
}

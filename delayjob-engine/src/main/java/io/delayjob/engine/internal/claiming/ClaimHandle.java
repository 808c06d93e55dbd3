package io.delayjob.engine.internal.claiming;

import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.support.Checks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/**
 * Names an attempt at a claimed job, so that any node can settle it.
 *
 * @param shard where the job is
 * @param lease the job and the token of its claim
 * @param attempt the number of the attempt
 * @param topic the name of what runs
 * @param handedOutMillis when it was handed out, by the clock of the node that did so
 */
record ClaimHandle(ShardId shard, Lease lease, int attempt, String topic, long handedOutMillis) {

    private static final String VERSION = "1";
    private static final int PARTS = 8;

    /** The handle of a job that is handed out now. */
    static ClaimHandle of(ShardId shard, Claimed.Job job, String topic) {
        return new ClaimHandle(shard, job.lease(), job.attempt().number(), topic, System.currentTimeMillis());
    }

    /** How long ago the job was handed out, by the clocks of the two nodes; zero if they disagree. */
    Duration elapsed() {
        return Duration.ofMillis(Math.max(0, System.currentTimeMillis() - handedOutMillis));
    }

    String queue() {
        return shard.queue();
    }

    String id() {
        return lease.id();
    }

    /** The handle as text. The id is its last part, because it may contain any character but control characters. */
    String text() {
        String parts = String.join(
                "\n",
                VERSION,
                shard.queue(),
                Integer.toString(shard.number()),
                Integer.toString(attempt),
                Long.toString(handedOutMillis),
                topic,
                lease.token(),
                lease.id());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(parts.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads a handle.
     *
     * @throws IllegalArgumentException if it was not made by {@link #text}
     */
    static ClaimHandle parse(String text) {
        try {
            String[] parts =
                    new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8).split("\n", -1);
            if (parts.length == PARTS && parts[0].equals(VERSION) && !parts[6].isEmpty()) {
                return new ClaimHandle(
                        new ShardId(Checks.queue(parts[1]), Integer.parseUnsignedInt(parts[2])),
                        new Lease(Checks.id(parts[7]), parts[6]),
                        Integer.parseUnsignedInt(parts[3]),
                        Checks.jobName(parts[5]),
                        Long.parseUnsignedLong(parts[4]));
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(unknown(text), e);
        }
        throw new IllegalArgumentException(unknown(text));
    }

    private static String unknown(String text) {
        return "not a handle of a claimed job: " + Checks.shown(text) + "; pass the handle as the claim returned it";
    }
}

package io.delayjob.engine.internal.claiming;

import io.delayjob.engine.internal.running.RemoteAttempt;
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
public record ClaimHandle(ShardId shard, Lease lease, int attempt, String topic, long handedOutMillis) {

    /** The format that this code writes, and the only one that it reads. */
    private static final String VERSION = "1";

    private static final int PARTS = 8;

    /** The handle of a job that is handed out now. */
    static ClaimHandle of(ShardId shard, Claimed.Job job, String topic) {
        return new ClaimHandle(shard, job.lease(), job.attempt().number(), topic, System.currentTimeMillis());
    }

    /** The attempt. How long ago the job was handed out is by the clocks of two nodes; zero if they disagree. */
    RemoteAttempt remote() {
        long elapsed = Math.max(0, System.currentTimeMillis() - handedOutMillis);
        return new RemoteAttempt(lease, attempt, topic, Duration.ofMillis(elapsed));
    }

    /** The handle as text: its parts, of which none contains a line feed, a line each, in base64 that fits into a URL. */
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
    public static ClaimHandle parse(String text) {
        try {
            String parts = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            return of(parts.split("\n", -1));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "not a handle of a claimed job: " + Checks.shown(text)
                            + "; pass the handle as the claim returned it",
                    e);
        }
    }

    private static ClaimHandle of(String[] parts) {
        if (parts.length != PARTS || !parts[0].equals(VERSION) || parts[6].isEmpty()) {
            throw new IllegalArgumentException("other parts than those of a handle");
        }
        return new ClaimHandle(
                new ShardId(Checks.queue(parts[1]), (int) number(parts[2], Integer.MAX_VALUE)),
                new Lease(Checks.id(parts[7]), parts[6]),
                (int) number(parts[3], Integer.MAX_VALUE),
                Checks.jobName(parts[5]),
                number(parts[4], Long.MAX_VALUE));
    }

    private static long number(String text, long most) {
        long number = Long.parseLong(text);
        if (number < 0 || number > most) {
            throw new IllegalArgumentException("out of range: " + text);
        }
        return number;
    }
}

package io.delayjob;

import java.time.Duration;

/**
 * Settles an attempt of a {@link DelayJobListener} with {@link AckMode#MANUAL}. Thread-safe; may be used after the method has
 * returned. Once the method has returned, the lease is no longer renewed: a call after the end of the lease comes too late. The
 * lease is as long as the listener's {@code lease}, unless {@link JobExecution#extendLease} made it longer. Until the job is
 * settled it occupies one of the queue's workers. At shutdown, a job that is not settled within {@code delayjob.shutdown-timeout}
 * is given back without spending an attempt.
 *
 * <p>Every method blocks until Redis has confirmed it, so do not call it on an event loop of Redisson or Netty. It throws {@link
 * LeaseLostException} and has no effect if the lease was lost; {@link IllegalStateException} if the attempt is already settled;
 * {@link DelayJobException} if Redis refused the call or did not confirm it within {@code delayjob.submit-timeout}. After such a
 * timeout delayjob keeps trying, and the job runs again if its lease ends first.
 */
public interface Acknowledgment {

    /** The job is done: {@link JobState#COMPLETED}. */
    void acknowledge();

    /**
     * The attempt failed: another one follows, or the job is {@link JobState#DEAD} if this was the last.
     *
     * @param wait the time until the next attempt; zero for at once
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    void retry(Duration wait);

    /**
     * No further attempt can help: the job is {@link JobState#DEAD}.
     *
     * @param reason why, kept as the job's last error
     * @throws IllegalArgumentException if {@code reason} is blank
     */
    void reject(String reason);
}

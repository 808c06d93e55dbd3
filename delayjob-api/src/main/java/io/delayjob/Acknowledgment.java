package io.delayjob;

import java.time.Duration;

/**
 * Says how an attempt ended, in a {@link DelayJobListener} with {@link AckMode#MANUAL}. Thread-safe; may be kept after the method
 * returned. Once the method has returned, the lease is renewed no more: what is not said before it ends (its length is the
 * listener's {@code lease}) comes too late, unless {@link JobExecution#extendLease} made it longer. Until then the job takes one of
 * the queue's workers. At shutdown what is not said within {@code delayjob.shutdown-timeout} is given back, and no attempt is spent.
 *
 * <p>Every method blocks until Redis has confirmed it, so it is not for the event loops of Redisson or Netty. It throws {@link
 * LeaseLostException}, with no effect, if the lease was lost; {@link IllegalStateException} if something was already said; {@link
 * DelayJobException} if Redis could not be asked, or did not answer for as long as {@code delayjob.submit-timeout}: then it goes
 * on being tried, and the job runs again if that comes too late.
 */
public interface Acknowledgment {

    /** The job is done: {@link JobState#COMPLETED}. */
    void acknowledge();

    /**
     * The attempt failed: another one follows, or the job is {@link JobState#DEAD} if this was the last.
     *
     * @param wait until the next attempt, zero for at once
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

package io.delayjob.reliability.node;

/**
 * Param of a job of these tests: the work that it does.
 *
 * @param millis how long an attempt takes
 * @param failures how many attempts fail before one succeeds; negative if the first says that no other may follow
 * @param followUpMillis the delay of another job that an attempt submits before it ends; 0 for none
 */
public record Work(long millis, int failures, long followUpMillis) {

    /** Work that no other follows. */
    public Work(long millis, int failures) {
        this(millis, failures, 0);
    }
}

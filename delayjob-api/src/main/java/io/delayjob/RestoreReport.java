package io.delayjob;

/**
 * The result of a restore, as counts of jobs. Every job that it examined is counted once: {@code examined} is the sum of the others.
 *
 * @param examined the unfinished jobs that the journal has, of those that the scope names
 * @param restored jobs that Redis did not have and that were put back; of a dry run, those that would have been
 * @param present jobs that Redis has; they were not changed
 * @param finished jobs that finished while the restore went on
 * @param journaled jobs that Redis is yet to get: those that wait for their relay, or beyond the horizon
 * @param skipped jobs that the restore was not to touch: due outside of its range, or overdue
 */
public record RestoreReport(long examined, long restored, long present, long finished, long journaled, long skipped) {}

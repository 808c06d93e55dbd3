package io.delayjob.benchmarks.driver;

import java.util.concurrent.TimeUnit;

/**
 * Jobs to submit; the command of that name has these fields.
 *
 * @param from the number of the first job
 * @param dueMillis when the first is due, epoch ms
 * @param spreadMillis over how long their due times are spread
 * @param mode {@code bulk} for batches, {@code single} for one by one, {@code schedule} for schedules that run them, one by one
 * @param threads how many submit at once
 * @param batch how many jobs a batch has
 * @param characters how many each job carries
 */
public record Submit(
        String prefix,
        int from,
        int count,
        long dueMillis,
        long spreadMillis,
        String mode,
        int threads,
        int batch,
        int characters) {

    /** How many jobs a batch has. */
    public static final int BATCH = 500;

    /** How many characters a job carries. */
    public static final int CHARACTERS = 128;

    /** A day. */
    public static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);

    private static final int BULK_THREADS = 4;
    private static final int SCHEDULE_THREADS = 16;

    /** In batches of 500, from four threads. */
    public static Submit bulk(String prefix, int count, long dueMillis, long spreadMillis) {
        return new Submit(prefix, 0, count, dueMillis, spreadMillis, "bulk", BULK_THREADS, BATCH, CHARACTERS);
    }

    /** In bulk, the first due a day from now. */
    public static Submit far(String prefix, int count, long spreadMillis) {
        return bulk(prefix, count, System.currentTimeMillis() + DAY_MILLIS, spreadMillis);
    }

    /** One by one, all due a day from now. */
    public static Submit farSingles(String prefix, int count, int threads) {
        return new Submit(
                prefix, 0, count, System.currentTimeMillis() + DAY_MILLIS, 0, "single", threads, BATCH, CHARACTERS);
    }

    /** Schedules that all have their first instant at a time, one by one from 16 threads. */
    public static Submit schedules(String prefix, int count, long instantMillis) {
        return new Submit(prefix, 0, count, instantMillis, 0, "schedule", SCHEDULE_THREADS, BATCH, CHARACTERS);
    }

    /** The same number of jobs, numbered from another number on. */
    public Submit from(int number) {
        return new Submit(prefix, number, count, dueMillis, spreadMillis, mode, threads, batch, characters);
    }

    /** The same jobs with other payloads. */
    public Submit carrying(int other) {
        return new Submit(prefix, from, count, dueMillis, spreadMillis, mode, threads, batch, other);
    }
}

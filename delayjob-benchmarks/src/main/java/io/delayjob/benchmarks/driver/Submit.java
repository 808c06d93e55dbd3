package io.delayjob.benchmarks.driver;

import java.util.HashMap;
import java.util.Map;

/**
 * Jobs to submit.
 *
 * @param dueMillis when the first is due, epoch ms
 * @param spreadMillis over how long their due times are spread
 * @param bulk in batches, or one by one
 * @param threads how many submit at once
 */
public record Submit(String prefix, int from, int count, long dueMillis, long spreadMillis, boolean bulk, int threads) {

    /** How many jobs a batch has. */
    public static final int BATCH = 500;

    private static final int BULK_THREADS = 4;

    /** In batches of 500, from four threads. */
    public static Submit bulk(String prefix, int count, long dueMillis, long spreadMillis) {
        return new Submit(prefix, 0, count, dueMillis, spreadMillis, true, BULK_THREADS);
    }

    /** One by one. */
    public static Submit single(String prefix, int count, long dueMillis, int threads) {
        return new Submit(prefix, 0, count, dueMillis, 0, false, threads);
    }

    /** The same number of jobs behind these. */
    public Submit from(int number) {
        return new Submit(prefix, number, count, dueMillis, spreadMillis, bulk, threads);
    }

    Map<String, Object> command() {
        Map<String, Object> command = new HashMap<>();
        command.put("do", "submit");
        command.put("prefix", prefix);
        command.put("from", from);
        command.put("count", count);
        command.put("dueMillis", dueMillis);
        command.put("spreadMillis", spreadMillis);
        command.put("mode", bulk ? "bulk" : "single");
        command.put("threads", threads);
        command.put("batch", BATCH);
        return command;
    }
}

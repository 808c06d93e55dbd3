package io.delayjob.server.console.internal.look;

import io.delayjob.redisson.events.EventStream.Placed;
import io.delayjob.server.internal.web.ServerJson;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Counts what happens in each queue within a minute, second by second. Thread-safe. */
final class RateBook {

    static final int SECONDS = 60;
    private static final int MOST_LATENESSES = 2000;

    private final Map<String, Minute> queues = new HashMap<>();
    private boolean partial;

    private static final class Minute {

        private final long[] completed = new long[SECONDS];
        private final long[] failed = new long[SECONDS];
        private final long[] died = new long[SECONDS];
        private final long[] lateness = new long[MOST_LATENESSES];
        private final long[] latenessAt = new long[MOST_LATENESSES];
        private int next;
        private long second;

        void moveTo(long now) {
            for (long at = Math.max(second + 1, now - SECONDS + 1); at <= now; at++) {
                completed[slot(at)] = 0;
                failed[slot(at)] = 0;
                died[slot(at)] = 0;
            }
            second = Math.max(second, now);
        }

        void late(long millis, long now) {
            lateness[next] = millis;
            latenessAt[next] = now;
            next = (next + 1) % MOST_LATENESSES;
        }

        private static int slot(long second) {
            return (int) (second % SECONDS);
        }

        Rates rates(long now, int seconds, boolean partial) {
            moveTo(now);
            List<Double> line = LongStream.rangeClosed(now - SECONDS + 1, now)
                    .mapToObj(at -> (double) completed[slot(at)])
                    .toList();
            long[] sorted = IntStream.range(0, MOST_LATENESSES)
                    .filter(i -> latenessAt[i] > now - SECONDS)
                    .mapToLong(i -> lateness[i])
                    .sorted()
                    .toArray();
            return new Rates(
                    (double) Arrays.stream(completed).sum() / seconds,
                    (double) Arrays.stream(failed).sum() / seconds,
                    (double) Arrays.stream(died).sum() / seconds,
                    at(sorted, 0.5),
                    at(sorted, 0.99),
                    partial,
                    line);
        }

        private static long at(long[] sorted, double share) {
            return sorted.length == 0 ? -1 : sorted[(int) Math.min(sorted.length - 1, (long) (sorted.length * share))];
        }
    }

    /** Counts an event that was read in a second. */
    synchronized void add(Placed placed, long now) {
        Minute minute = queues.computeIfAbsent(placed.event().queue(), queue -> new Minute());
        minute.moveTo(now);
        switch (placed.event().kind()) {
            case "completed" -> minute.completed[Minute.slot(now)]++;
            case "retried" -> minute.failed[Minute.slot(now)]++;
            case "buried" -> minute.died[Minute.slot(now)]++;
            case "claimed" -> claimed(minute, placed, now);
            case "gap" -> partial = true;
            default -> {}
        }
    }

    private static void claimed(Minute minute, Placed placed, long now) {
        try {
            JsonNode event = ServerJson.stored().readTree(placed.event().data());
            Instant due = time(event.path("dueAt"));
            Instant at = time(event.path("at"));
            if (due != null && at != null) {
                minute.late(Math.max(0, Duration.between(due, at).toMillis()), now);
            }
        } catch (JacksonException e) {
            // Anything may have been written there.
            return;
        }
    }

    private static @Nullable Instant time(JsonNode node) {
        try {
            return node.isString() ? Instant.parse(node.stringValue()) : null;
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Notes that more happened than was read. */
    synchronized void missed() {
        partial = true;
    }

    /** The rates of a queue, of which so many seconds are known. */
    synchronized Rates of(String queue, long now, int seconds) {
        return queues.computeIfAbsent(queue, name -> new Minute())
                .rates(now, Math.max(1, Math.min(SECONDS, seconds)), partial);
    }

    synchronized void clear() {
        queues.clear();
        partial = false;
    }
}

package io.delayjob.server.console.internal.look;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.delayjob.redisson.history.Counts;
import io.delayjob.redisson.history.HistoryStore;
import io.delayjob.redisson.history.HistoryStore.Page;
import io.delayjob.redisson.history.HistoryStore.Slot;
import io.delayjob.redisson.history.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/** Reads the history of the queues: all of a queue when it is first read, and from then on what may have changed. Thread-safe. */
final class HistoryReader {

    private static final Duration UNREAD = Duration.ofMinutes(2);

    private final HistoryStore store;
    private final Map<String, Known> known = Caffeine.newBuilder()
            .expireAfterAccess(UNREAD)
            .<String, Known>build()
            .asMap();

    HistoryReader(HistoryStore store) {
        this.store = store;
    }

    /** The history of a queue as far as it has been read. */
    private static final class Known {

        private final Map<Span, Map<Long, Counts>> slots = new EnumMap<>(Span.class);
        private long atMillis;

        synchronized long atMillis() {
            return atMillis;
        }

        /** A page that was read before another one has nothing new. */
        synchronized void add(long at, List<Slot> read) {
            if (at < atMillis) {
                return;
            }
            atMillis = at;
            read.forEach(slot ->
                    slots.computeIfAbsent(slot.span(), span -> new HashMap<>()).put(slot.number(), slot.counts()));
            slots.forEach((span, counts) -> counts.keySet().removeIf(number -> number <= span.slot(at) - span.slots()));
        }

        synchronized Past past() {
            Map<Span, List<Counts>> spans = new EnumMap<>(Span.class);
            for (Span span : Span.values()) {
                Map<Long, Counts> counts = slots.getOrDefault(span, Map.of());
                long last = span.slot(atMillis);
                spans.put(
                        span,
                        LongStream.rangeClosed(last - span.slots() + 1, last)
                                .mapToObj(number -> counts.getOrDefault(number, Counts.NONE))
                                .toList());
            }
            return new Past(atMillis, spans);
        }
    }

    /** Reads what is new of these queues. Those that are not read for two minutes are forgotten. */
    CompletableFuture<Void> read(List<String> queues) {
        List<String> read = queues.stream().filter(known::containsKey).toList();
        List<String> unread =
                queues.stream().filter(queue -> !known.containsKey(queue)).toList();
        List<CompletableFuture<Void>> calls = new ArrayList<>();
        for (List<String> group : List.of(read, unread)) {
            for (int at = 0; at < group.size(); at += HistoryStore.MOST_READ) {
                calls.add(readSome(group.subList(at, Math.min(group.size(), at + HistoryStore.MOST_READ))));
            }
        }
        return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> readSome(List<String> queues) {
        return store.read(queues, from(queues)).thenAccept(page -> add(queues, page));
    }

    /** The slots that were the last ones when these queues were read: they have changed since, and later ones have begun. */
    private Map<Span, Long> from(List<String> queues) {
        long readAt = queues.stream()
                .map(known::get)
                .mapToLong(queue -> queue == null ? 0 : queue.atMillis())
                .min()
                .orElse(0);
        Map<Span, Long> from = new EnumMap<>(Span.class);
        for (Span span : Span.values()) {
            from.put(span, span.slot(readAt));
        }
        return from;
    }

    private void add(List<String> queues, Page page) {
        for (String queue : queues) {
            known.computeIfAbsent(queue, name -> new Known())
                    .add(
                            page.atMillis(),
                            page.slots().stream()
                                    .filter(slot -> slot.queue().equals(queue))
                                    .toList());
        }
    }

    /** The history of a queue as it was last read; empty if it has not been read. */
    Past of(String queue) {
        Known read = known.get(queue);
        return read == null ? Past.NOTHING : read.past();
    }
}

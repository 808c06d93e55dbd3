package io.delayjob.redisson.internal.redis;

import io.delayjob.redisson.history.Counts;
import io.delayjob.redisson.history.HistoryStore;
import io.delayjob.redisson.history.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The history, by scripts: each is sent once, and to the master. */
final class RedisHistory implements HistoryStore {

    /** Spans in the order in which the scripts number them, from 1. */
    private static final List<Span> SPANS = List.of(Span.values());

    private static final Pattern SLOT = Pattern.compile("slot=(\\d{1,15})(?:\\|(.*))?");

    private final Scripts scripts;
    private final KeyNames keys;

    RedisHistory(Scripts scripts, KeyNames keys) {
        this.scripts = scripts;
        this.keys = keys;
    }

    @Override
    public CompletableFuture<Void> add(Map<String, Counts> counts) {
        List<Object> args = new ArrayList<>(List.of(MOST_QUEUES, SPANS.size()));
        for (Span span : SPANS) {
            args.addAll(List.of(span.seconds(), span.slots()));
        }
        counts.forEach((queue, happened) -> args.addAll(List.of(queue, happened)));
        return scripts.number("add_history", keys, args).thenAccept(added -> {});
    }

    @Override
    public CompletableFuture<Page> read(List<String> queues, Map<Span, Long> from) {
        List<Object> args = new ArrayList<>(List.of(SPANS.size()));
        for (Span span : SPANS) {
            args.addAll(List.of(span.seconds(), span.slots(), from.getOrDefault(span, 0L)));
        }
        args.addAll(queues);
        return scripts.list("read_history", keys, args, RedisHistory::page);
    }

    private static Page page(List<Object> answer) {
        List<Slot> slots = new ArrayList<>(answer.size() / 3);
        for (int i = 1; i < answer.size(); i += 3) {
            Span span = SPANS.get(((Long) answer.get(i)).intValue() - 1);
            Matcher text = SLOT.matcher(String.valueOf(answer.get(i + 2)));
            if (text.matches()) {
                String counts = text.group(2) == null ? "" : text.group(2);
                slots.add(new Slot(
                        span, String.valueOf(answer.get(i + 1)), Long.parseLong(text.group(1)), Counts.parse(counts)));
            }
        }
        return new Page((Long) answer.get(0), slots);
    }
}

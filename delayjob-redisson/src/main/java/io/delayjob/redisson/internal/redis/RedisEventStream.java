package io.delayjob.redisson.internal.redis;

import io.delayjob.redisson.events.EventStream;
import io.delayjob.redisson.events.Position;
import io.delayjob.redisson.events.StreamedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The event stream, by scripts: each is sent once, and to the master. */
final class RedisEventStream implements EventStream {

    private final Scripts scripts;
    private final KeyNames keys;

    RedisEventStream(Scripts scripts, KeyNames keys) {
        this.scripts = scripts;
        this.keys = keys;
    }

    @Override
    public CompletableFuture<Boolean> append(List<StreamedEvent> events) {
        List<String> args = events.stream()
                .flatMap(event -> Stream.of(event.kind(), event.queue(), event.data()))
                .toList();
        return scripts.number("announce", keys, args).thenApply(appended -> appended == 1);
    }

    @Override
    public CompletableFuture<Wanted> want(int kept) {
        return scripts.list("want_events", keys, List.of(kept), RedisEventStream::wanted);
    }

    private static Wanted wanted(List<Object> answer) {
        return new Wanted((Long) answer.get(0), position(answer.get(1)));
    }

    @Override
    public CompletableFuture<Page> read(Position after) {
        return scripts.list("read_events", keys, List.of(after, MOST), RedisEventStream::page);
    }

    private static Page page(List<Object> answer) {
        List<Placed> events = new ArrayList<>(answer.size() / 4);
        for (int i = 1; i < answer.size(); i += 4) {
            StreamedEvent event = new StreamedEvent(text(answer, i + 1), text(answer, i + 2), text(answer, i + 3));
            events.add(new Placed(position(answer.get(i)), event));
        }
        return new Page(answer.get(0).equals(1L), events);
    }

    private static String text(List<Object> answer, int at) {
        return String.valueOf(answer.get(at));
    }

    private static Position position(Object id) {
        return Position.parse(id.toString())
                .orElseThrow(() -> new IllegalArgumentException("not the id of an event: " + id));
    }
}

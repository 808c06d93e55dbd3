package io.delayjob.server.console.internal.look;

import io.delayjob.redisson.events.EventStream;
import io.delayjob.redisson.events.EventStream.Page;
import io.delayjob.redisson.events.Position;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads what happened since it last read, once a second while somebody looks, and only so much of it. One read at a time. */
final class EventReader {

    private static final int MOST_PAGES = 25;
    private static final int WANT_AGAIN_SECONDS = 60;

    private final EventStream stream;
    private final int kept;
    private final RateBook book = new RateBook();
    private volatile @Nullable Position position;
    private volatile long since;
    private volatile long wanted;

    EventReader(EventStream stream, int kept) {
        this.stream = stream;
        this.kept = kept;
    }

    /** Reads the events of a second. */
    CompletableFuture<Void> read(long now) {
        Position from = position;
        if (from == null || now - wanted >= WANT_AGAIN_SECONDS) {
            return stream.want(kept).thenCompose(answer -> {
                wanted = now;
                if (from == null) {
                    position = answer.end();
                    since = now;
                    book.clear();
                    return CompletableFuture.completedFuture(null);
                }
                return read(from, now, 0);
            });
        }
        return read(from, now, 0);
    }

    private CompletableFuture<Void> read(Position from, long now, int pages) {
        if (pages == MOST_PAGES) {
            book.missed();
            return stream.want(kept).thenAccept(answer -> position = answer.end());
        }
        return stream.read(from).thenCompose(page -> {
            if (!page.whole()) {
                book.missed();
            }
            page.events().forEach(event -> book.add(event, now));
            Position end = end(page, from);
            position = end;
            return page.events().size() < EventStream.MOST
                    ? CompletableFuture.<Void>completedFuture(null)
                    : read(end, now, pages + 1);
        });
    }

    private static Position end(Page page, Position from) {
        return page.events().isEmpty()
                ? from
                : page.events().get(page.events().size() - 1).at();
    }

    /** The rates of a queue; null until some seconds were read. */
    @Nullable Rates rates(String queue, long now) {
        return position == null || now - since < 2 ? null : book.of(queue, now, (int) (now - since));
    }

    /** Nobody looks any more. */
    void stop() {
        position = null;
    }
}

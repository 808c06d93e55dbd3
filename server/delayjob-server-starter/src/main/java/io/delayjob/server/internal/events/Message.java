package io.delayjob.server.internal.events;

import io.delayjob.redisson.events.EventStream.Page;
import io.delayjob.redisson.events.EventStream.Placed;
import io.delayjob.redisson.events.Position;
import io.delayjob.redisson.events.StreamedEvent;
import java.util.List;

/** An event of the stream, and its text, which is made once for all subscribers. */
record Message(Placed placed, String text) {

    static List<Message> allOf(Page page) {
        return page.events().stream()
                .map(placed -> new Message(placed, Messages.of(placed)))
                .toList();
    }

    Position at() {
        return placed.at();
    }

    StreamedEvent event() {
        return placed.event();
    }
}

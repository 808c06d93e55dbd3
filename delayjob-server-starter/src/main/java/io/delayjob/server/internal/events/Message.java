package io.delayjob.server.internal.events;

import io.delayjob.redisson.events.EventStream.Page;
import io.delayjob.redisson.events.EventStream.Placed;
import io.delayjob.redisson.events.Position;
import io.delayjob.redisson.events.StreamedEvent;
import java.util.List;

/**
 * An event of the stream, and its text, which is made once for all subscribers.
 *
 * @param at its place in the stream
 */
record Message(Position at, StreamedEvent event, String text) {

    static List<Message> allOf(Page page) {
        return page.events().stream().map(Message::of).toList();
    }

    private static Message of(Placed placed) {
        return new Message(placed.at(), placed.event(), Messages.of(placed));
    }
}

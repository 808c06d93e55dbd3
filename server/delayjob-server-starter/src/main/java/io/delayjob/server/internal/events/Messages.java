package io.delayjob.server.internal.events;

import io.delayjob.redisson.events.EventStream.Placed;
import io.delayjob.redisson.events.Position;
import io.delayjob.redisson.events.StreamedEvent;
import java.time.Duration;
import org.springframework.http.codec.ServerSentEvent;

/** The texts of messages to subscribers. All but gaps have an id, from which a subscriber that reconnects goes on. */
final class Messages {

    /** After how long a subscriber whose connection has ended should come back. */
    private static final Duration COME_BACK = Duration.ofSeconds(1);

    /** Events were removed from the stream before the subscriber had read them. */
    static final String REMOVED =
            text(ServerSentEvent.builder("{\"reason\":\"removed\"}").event(StreamedEvent.GAP));

    private Messages() {}

    /** The first one, which is no event: from here on, nothing is missing. */
    static String listening(Position from) {
        return text(ServerSentEvent.<String>builder()
                .id(from.toString())
                .retry(COME_BACK)
                .comment("listening"));
    }

    /** A message without an event, which shows server and subscriber that the connection is alive. */
    static String heartbeat(Position at) {
        return text(ServerSentEvent.<String>builder().id(at.toString()).comment("heartbeat"));
    }

    static String of(Placed placed) {
        return text(ServerSentEvent.builder(placed.event().data())
                .id(placed.at().toString())
                .event(placed.event().kind()));
    }

    private static String text(ServerSentEvent.Builder<String> message) {
        ServerSentEvent<String> built = message.build();
        String data = built.data();
        return built.format() + (data == null ? "" : data.replace("\n", "\ndata:") + "\n") + "\n";
    }
}

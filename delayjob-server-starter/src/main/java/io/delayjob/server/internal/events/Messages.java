package io.delayjob.server.internal.events;

import io.delayjob.redisson.events.EventStream.Placed;
import io.delayjob.redisson.events.Position;
import io.delayjob.redisson.events.StreamedEvent;
import java.time.Duration;
import org.springframework.http.codec.ServerSentEvent;

/** Messages to subscribers. All but gaps have an id, from which a subscriber that reconnects goes on. */
final class Messages {

    /** After how long a subscriber whose connection has ended should come back. */
    private static final Duration COME_BACK = Duration.ofSeconds(1);

    /** Events were removed from the stream before the subscriber had read them. */
    static final ServerSentEvent<String> REMOVED = ServerSentEvent.<String>builder("{\"reason\":\"removed\"}")
            .event(StreamedEvent.GAP)
            .build();

    private Messages() {}

    /** The first one, which is no event: from here on, nothing is missing. */
    static ServerSentEvent<String> listening(Position from) {
        return ServerSentEvent.<String>builder()
                .id(from.toString())
                .retry(COME_BACK)
                .comment("listening")
                .build();
    }

    /** A message without an event, which shows server and subscriber that the connection is alive. */
    static ServerSentEvent<String> heartbeat(Position at) {
        return ServerSentEvent.<String>builder()
                .id(at.toString())
                .comment("heartbeat")
                .build();
    }

    static ServerSentEvent<String> of(Placed placed) {
        return ServerSentEvent.builder(placed.event().data())
                .id(placed.at().toString())
                .event(placed.event().kind())
                .build();
    }
}

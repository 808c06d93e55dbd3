package io.delayjob.server.internal.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.redisson.events.EventStream;
import io.delayjob.redisson.events.EventStream.Page;
import io.delayjob.redisson.events.EventStream.Placed;
import io.delayjob.redisson.events.Position;
import io.delayjob.redisson.events.StreamedEvent;
import io.delayjob.server.Access;
import io.delayjob.server.Grant;
import io.delayjob.server.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class SubscriberTest {

    private static final Access OF_QUEUE_Q = Access.of(
            "reader", new Grant(Set.of(Role.READ), List.of("q")), () -> CompletableFuture.completedFuture(true));

    private final Subscriber subscriber =
            new Subscriber(EventFilter.of(OF_QUEUE_Q, List.of(), List.of()), OF_QUEUE_Q.stillValid(), () -> {});
    private final List<Flux<String>> received = new ArrayList<>();

    private static Placed event(long number, String queue) {
        return new Placed(
                new Position(1, number), new StreamedEvent("submitted", queue, "{\"id\":\"" + number + "\"}"));
    }

    private static List<Message> messages(List<Placed> events) {
        return Message.allOf(new Page(true, events));
    }

    private static List<Message> page(long first, int size) {
        List<Placed> events = LongStream.range(first, first + size)
                .mapToObj(number -> event(number, "q"))
                .toList();
        return messages(events);
    }

    /** Writes the next messages. */
    private List<String> next() {
        return Objects.requireNonNull(received.remove(0).collectList().block());
    }

    @Test
    void eventsThatComeTogetherAreHandedOnTogetherWithoutThoseOfOtherQueuesAndThoseThatItKnows() {
        subscriber.messages().subscribe(received::add);
        subscriber.moveTo(new Position(1, 1));

        assertThat(subscriber.take(messages(
                        List.of(event(1, "q"), event(2, "q"), event(3, "other"), event(4, "q"), event(5, "other")))))
                .isTrue();

        assertThat(next())
                .containsExactly(
                        "id:1-2\nevent:submitted\ndata:{\"id\":\"2\"}\n\n",
                        "id:1-4\nevent:submitted\ndata:{\"id\":\"4\"}\n\n");
        assertThat(received).isEmpty();
        assertThat(subscriber.position()).isEqualTo(new Position(1, 5));
    }

    @Test
    void eventsForWhichItHasNoRoomAreLeftInTheStreamUntilThoseBeforeThemAreWritten() {
        subscriber.messages().subscribe(received::add);
        assertThat(subscriber.take(page(1, EventStream.MOST))).isTrue();
        assertThat(subscriber.beginRead()).isFalse();
        assertThat(subscriber.take(page(201, EventStream.MOST))).isTrue();
        assertThat(subscriber.take(page(401, 1))).isFalse();
        assertThat(subscriber.position()).isEqualTo(new Position(1, 400));

        assertThat(next()).hasSize(EventStream.MOST).element(0).asString().startsWith("id:1-1\n");
        assertThat(subscriber.beginRead()).isFalse();
        assertThat(next()).hasSize(EventStream.MOST);

        assertThat(subscriber.beginRead()).isTrue();
        assertThat(subscriber.take(page(401, 1))).isTrue();
        assertThat(next()).singleElement().asString().startsWith("id:1-401\n");
    }

    @Test
    void dataOfSeveralLinesStaysInItsEvent() {
        subscriber.messages().subscribe(received::add);

        subscriber.take(messages(
                List.of(new Placed(new Position(1, 1), new StreamedEvent("submitted", "q", "{\n\nevent:gap")))));

        assertThat(next()).containsExactly("id:1-1\nevent:submitted\ndata:{\ndata:\ndata:event:gap\n\n");
    }
}

package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Keeps what jobs were given. */
final class Inbox {

    private final Queue<Object> seen = new ConcurrentLinkedQueue<>();

    void add(@Nullable Object value) {
        seen.add(value == null ? "null" : value);
    }

    List<Object> seen() {
        return List.copyOf(seen);
    }

    void awaitExactly(Object... expected) {
        await().untilAsserted(() -> assertThat(seen()).containsExactlyInAnyOrder(expected));
    }
}

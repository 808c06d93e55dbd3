package io.delayjob.engine.internal.recurring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobException;
import io.delayjob.Schedule;
import io.delayjob.engine.handler.DeclaredSchedule;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeclaringTest {

    private final Queue<String> stored = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean fails = new AtomicBoolean(true);

    private void store(DeclaredSchedule declared) {
        String name = declared.schedule().name();
        if (name.equals("fails") && fails.get()) {
            throw new DelayJobException("not now", null);
        } else if (name.equals("wrong")) {
            throw new IllegalArgumentException("never");
        }
        stored.add(name);
    }

    @Test
    void oneThatCannotBeStoredKeepsNoOtherBackAndIsTriedUntilItIs() {
        List<DeclaredSchedule> declared = Stream.of("fails", "wrong", "other")
                .map(name -> new DeclaredSchedule(Schedule.every(name, "t", Duration.ofMinutes(1)), true))
                .toList();
        Declaring declaring = Declaring.start(this::store, () -> {}, declared);
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(stored).containsExactly("other"));
        fails.set(false);
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(stored).containsExactly("other", "fails"));
        declaring.stop();
    }

    @Test
    void notesAgainAndAgainThatTheStoredOnesAreDeclaredWhateverFails() {
        AtomicInteger noted = new AtomicInteger();
        Runnable again = () -> {
            if (noted.incrementAndGet() == 1) {
                throw new DelayJobException("not now", null);
            }
        };
        DeclaredSchedule declared = new DeclaredSchedule(Schedule.every("s", "t", Duration.ofMinutes(1)), true);
        Declaring declaring = Declaring.start(this::store, again, Duration.ofMillis(1), List.of(declared));
        await().until(() -> noted.get() > 2);
        assertThat(stored).containsExactly("s");
        declaring.stop();
    }
}

package io.delayjob.journal.autoconfigure;

import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobListener;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** The listener of the topic {@code note}, and what it has run. */
public class Runs {

    private final List<String> seen = new CopyOnWriteArrayList<>();

    /** Runs a job. */
    @DelayJobListener(topic = "note")
    public void run(String note) {
        seen.add(note);
    }

    List<String> seen() {
        return List.copyOf(seen);
    }

    void awaitAll(Collection<String> notes) {
        awaitAll(notes, Duration.ofMinutes(2));
    }

    void awaitAll(Collection<String> notes, Duration atMost) {
        await().atMost(atMost).until(() -> Set.copyOf(seen).containsAll(notes));
    }
}

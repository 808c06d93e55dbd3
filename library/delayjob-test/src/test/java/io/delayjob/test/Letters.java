package io.delayjob.test;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.DelayJobListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A listener that says itself how its attempts ended. */
class Letters {

    private final List<String> taken = new CopyOnWriteArrayList<>();
    private final Map<String, Later> later = new ConcurrentHashMap<>();

    private record Later(Duration after, Runnable before) {

        void run(Acknowledgment acknowledgment) {
            Executor delayed = CompletableFuture.delayedExecutor(after.toMillis(), TimeUnit.MILLISECONDS);
            delayed.execute(() -> {
                before.run();
                acknowledgment.acknowledge();
            });
        }
    }

    @DelayJobListener(topic = "letters", queue = "post", ackMode = AckMode.MANUAL, lease = "10s")
    void take(String letter, Acknowledgment acknowledgment) {
        taken.add(letter);
        Later answer = later.get(letter);
        if (answer != null) {
            answer.run(acknowledgment);
        } else if (!letter.equals("ignored") && (!letter.equals("lost") || taken.size() > 1)) {
            acknowledgment.acknowledge();
        }
    }

    void answerLater(String letter, Duration after) {
        answerLater(letter, after, () -> {});
    }

    void answerLater(String letter, Duration after, Runnable before) {
        later.put(letter, new Later(after, before));
    }

    List<String> taken() {
        return taken;
    }

    void clear() {
        taken.clear();
        later.clear();
    }
}

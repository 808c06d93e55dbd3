package io.delayjob.test;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.DelayJobListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A listener that says itself how its attempts ended. */
class Letters {

    private final List<String> taken = new CopyOnWriteArrayList<>();

    @DelayJobListener(topic = "letters", queue = "post", ackMode = AckMode.MANUAL, lease = "10s")
    void take(String letter, Acknowledgment acknowledgment) {
        taken.add(letter);
        if (!letter.equals("lost") || taken.size() > 1) {
            acknowledgment.acknowledge();
        }
    }

    List<String> taken() {
        return taken;
    }
}

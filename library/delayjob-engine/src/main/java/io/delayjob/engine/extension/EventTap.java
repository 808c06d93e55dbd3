package io.delayjob.engine.extension;

import io.delayjob.JobEvent;

/**
 * Hears of events at once, on the thread on which they happen, whatever the application's listeners do. It must neither block nor throw.
 */
public interface EventTap {

    /** Hears of nothing. */
    EventTap NONE = new EventTap() {
        @Override
        public boolean wants(Class<? extends JobEvent> kind) {
            return false;
        }

        @Override
        public void take(JobEvent event) {}

        @Override
        public void changed(QueueChange change) {}
    };

    /** Whether it wants to hear of events of a kind at the moment. Asked before each event, so it must cost next to nothing. */
    boolean wants(Class<? extends JobEvent> kind);

    /** An event of a kind that it wants has happened. Called from any thread. */
    void take(JobEvent event);

    /** This node changed a queue. */
    void changed(QueueChange change);
}

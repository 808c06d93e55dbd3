package io.delayjob.journal.autoconfigure;

import io.delayjob.journal.internal.submitting.ModesWatch;
import org.springframework.context.SmartLifecycle;

/** Makes this node known to the journal before the engine starts: its shards and its modes. */
final class JournalLifecycle implements SmartLifecycle {

    private final Runnable prepare;
    private final ModesWatch watch;
    private volatile boolean running;

    JournalLifecycle(Runnable prepare, ModesWatch watch) {
        this.watch = watch;
        this.prepare = prepare;
    }

    @Override
    public void start() {
        prepare.run();
        watch.start();
        running = true;
    }

    @Override
    public void stop() {
        watch.close();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 1;
    }
}

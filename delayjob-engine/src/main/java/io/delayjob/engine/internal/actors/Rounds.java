package io.delayjob.engine.internal.actors;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A thread that comes to every shard of this node in turn, over and over. What it begins there waits for nothing, so that a shard
 * whose master is silent holds up no other.
 */
public final class Rounds extends Actor {

    /** A fifteenth of the shortest lease: between two rounds no lease that is due for renewal gets near its end. */
    private static final Duration PERIOD = Duration.ofMillis(65);

    private final Collection<Visited> visited = new CopyOnWriteArrayList<>();
    private volatile boolean endsWhenEmpty;

    /** What is to be done for one shard. */
    public interface Visited {

        /** Does what is due now, and waits for no answer; false if it need not be called again. */
        boolean visit();
    }

    public Rounds(String name) {
        super(name, Failures.PROMPT);
    }

    /** From now on it comes there, too. */
    public void add(Visited shard) {
        visited.add(shard);
    }

    /** Ends it as soon as there is nowhere left to come to. */
    public void endWhenEmpty() {
        endsWhenEmpty = true;
    }

    @Override
    protected void step() throws InterruptedException {
        if (endsWhenEmpty && visited.isEmpty()) {
            stop();
            return;
        }
        visitAll();
        pause(PERIOD);
    }

    /** What one of them throws keeps it from none of the others. */
    private void visitAll() {
        Throwable first = null;
        for (Visited shard : visited) {
            Throwable failure = visit(shard);
            first = first == null ? failure : first;
        }
        if (first instanceof Error error) {
            throw error;
        } else if (first instanceof RuntimeException exception) {
            throw exception;
        }
    }

    private @Nullable Throwable visit(Visited shard) {
        try {
            if (!shard.visit()) {
                visited.remove(shard);
            }
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        }
    }
}

package io.delayjob.engine.internal.actors;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A thread that visits every shard of this node in turn, again and again. A visit never blocks, so a shard whose master is silent
 * does not delay the others.
 */
public final class Rounds extends Actor {

    /** A fifteenth of the shortest lease, so that no lease that is due for renewal gets near its end between two rounds. */
    private static final Duration PERIOD = Duration.ofMillis(65);

    private final Collection<Visited> visited = new CopyOnWriteArrayList<>();
    private volatile boolean endsWhenEmpty;

    /** The work for one shard. */
    public interface Visited {

        /** Starts the work that is due now, without waiting for answers; false if this shard needs no more visits. */
        boolean visit();
    }

    public Rounds(String name) {
        super(name, Failures.PROMPT);
    }

    /** Adds a shard to the rounds. */
    public void add(Visited shard) {
        visited.add(shard);
    }

    /** Ends the rounds as soon as no shard is left. */
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

    /** Visits all shards, even if a visit throws; then throws the first failure. */
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

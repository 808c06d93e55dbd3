package io.delayjob.benchmarks.contender;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Threads that share the positions from 0 to a count and make a step at each; a step that fails is counted. */
final class Crew {

    /** Action at one position. */
    interface Step {
        void at(int position) throws Exception;
    }

    private final LongAdder errors = new LongAdder();
    private final AtomicReference<@Nullable Exception> firstError = new AtomicReference<>();

    private Crew() {}

    /**
     * Returns when all threads have finished.
     *
     * @param stride how far it is from one position to the next
     */
    static Crew work(int threads, int count, int stride, Step step) throws InterruptedException {
        Crew crew = new Crew();
        AtomicInteger next = new AtomicInteger();
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> crew.makeSteps(next, count, stride, step), "submitter-" + i);
            thread.setDaemon(true);
            thread.start();
            started.add(thread);
        }
        for (Thread thread : started) {
            thread.join();
        }
        return crew;
    }

    private void makeSteps(AtomicInteger next, int count, int stride, Step step) {
        for (int position = next.getAndAdd(stride); position < count; position = next.getAndAdd(stride)) {
            try {
                step.at(position);
            } catch (Exception e) {
                errors.increment();
                firstError.compareAndSet(null, e);
            }
        }
    }

    /** How many steps failed. */
    long errors() {
        return errors.sum();
    }

    /** Error of the first failed step; empty if none failed. */
    String firstError() {
        Exception error = firstError.get();
        return error == null ? "" : error.toString();
    }
}

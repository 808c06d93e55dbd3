package io.delayjob.test;

import io.delayjob.SubmitResult;
import io.delayjob.engine.DelayJobEngine;
import java.util.List;
import java.util.function.Supplier;

/** Resets the state of a test's application context before each test method, and runs submitted jobs in mode INLINE. */
final class TestBench {

    private final VirtualTime time;
    private final MemoryQueues queues;
    private final Recording recording;
    private final HandRuns runs;
    private final HandClaims claims;
    private final Supplier<DelayJobEngine> engine;
    private volatile DelayJobMode mode = DelayJobMode.MANUAL;

    TestBench(
            VirtualTime time,
            MemoryQueues queues,
            Recording recording,
            HandRuns runs,
            HandClaims claims,
            Supplier<DelayJobEngine> engine) {
        this.time = time;
        this.queues = queues;
        this.recording = recording;
        this.runs = runs;
        this.claims = claims;
        this.engine = engine;
    }

    /** Resets everything for a new test method. */
    void reset(DelayJobMode newMode) {
        mode = newMode;
        startAt(System.currentTimeMillis());
        recording.clear();
        runs.awaitAcknowledgments(HandRuns.PATIENCE);
        runs.refuseMoreThan(HandRuns.MOST);
        // Last, because an answer may lead to the next claim, which belongs to the new test.
        claims.end();
    }

    /** Begins at a time, with the schedules that the application declares. */
    void startAt(long millis) {
        time.set(millis);
        queues.empty();
        engine.get().declareSchedules();
    }

    /** Called when submits are answered or deferred until a commit. */
    void submitted(List<SubmitResult> results) {
        List<SubmitResult> deferred = results.stream()
                .filter(result -> result.outcome() == SubmitResult.Outcome.DEFERRED)
                .toList();
        deferred.forEach(result -> recording.deferred(result.id()));
        if (mode != DelayJobMode.INLINE) {
            return;
        }
        if (!deferred.isEmpty()) {
            InlineAfterCommit.run(runs::drainUnlessRunning);
        }
        if (deferred.size() < results.size()) {
            runs.drainUnlessRunning();
        }
    }
}

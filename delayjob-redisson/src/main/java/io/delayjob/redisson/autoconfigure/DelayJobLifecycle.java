package io.delayjob.redisson.autoconfigure;

import io.delayjob.redisson.internal.engine.DelayJobEngine;
import io.delayjob.redisson.internal.engine.JobRegistry;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the engine when everything else is up, and stops it first, so that jobs that still run find their beans, their
 * database and their web clients alive.
 */
final class DelayJobLifecycle implements SmartLifecycle, SmartInitializingSingleton {

    private final DelayJobEngine engine;
    private final JobRegistry registry;

    DelayJobLifecycle(DelayJobEngine engine, JobRegistry registry) {
        this.engine = engine;
        this.registry = registry;
    }

    /** Fails the start of an application whose jobs cannot run, rather than the first submit. */
    @Override
    public void afterSingletonsInstantiated() {
        registry.check();
    }

    @Override
    public void start() {
        engine.start();
    }

    @Override
    public void stop() {
        engine.stop();
    }

    @Override
    public boolean isRunning() {
        return engine.isRunning();
    }

    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}

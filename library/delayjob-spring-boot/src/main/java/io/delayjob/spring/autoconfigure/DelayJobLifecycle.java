package io.delayjob.spring.autoconfigure;

import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.handler.HandlerRegistry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the engine when everything else is up, and stops it first, so that jobs that still run find their beans, their
 * database and their web clients alive.
 */
public final class DelayJobLifecycle implements SmartLifecycle, SmartInitializingSingleton {

    private final DelayJobEngine engine;
    private final HandlerRegistry registry;
    private final Supplier<NodeSeat> seats;
    private volatile @Nullable NodeSeat seat;

    DelayJobLifecycle(DelayJobEngine engine, HandlerRegistry registry, Supplier<NodeSeat> seats) {
        this.engine = engine;
        this.registry = registry;
        this.seats = seats;
    }

    /** Fails the start of an application whose jobs cannot run, rather than the first submit. */
    @Override
    public void afterSingletonsInstantiated() {
        registry.check();
    }

    @Override
    public void start() {
        if (engine.consumes() && seat == null) {
            NodeSeat taken = seats.get();
            taken.take();
            seat = taken;
        }
        engine.start();
    }

    @Override
    public void stop() {
        engine.stop();
        NodeSeat taken = seat;
        if (taken != null) {
            taken.leave();
            seat = null;
        }
    }

    @Override
    public boolean isRunning() {
        return engine.isRunning() || seat != null;
    }

    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}

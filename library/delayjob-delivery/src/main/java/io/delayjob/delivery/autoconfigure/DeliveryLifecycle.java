package io.delayjob.delivery.autoconfigure;

import io.delayjob.delivery.internal.running.Couriers;
import org.springframework.context.SmartLifecycle;

/** Starts delivery after the engine, on which its bean depends, and stops it before. */
final class DeliveryLifecycle implements SmartLifecycle {

    private final Couriers couriers;

    DeliveryLifecycle(Couriers couriers) {
        this.couriers = couriers;
    }

    @Override
    public void start() {
        couriers.start();
    }

    @Override
    public void stop() {
        couriers.stop();
    }

    @Override
    public boolean isRunning() {
        return couriers.isRunning();
    }

    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}

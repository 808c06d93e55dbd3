package io.delayjob.delivery.internal.services;

import java.util.List;

/**
 * The answer of a registry about a service.
 *
 * @param instances the instances of the service now
 * @param complete whether there is no other instance. False where the registry may not have been reached
 */
public record Found(List<Instance> instances, boolean complete) {

    /** Copies the instances. */
    public Found {
        instances = List.copyOf(instances);
    }
}

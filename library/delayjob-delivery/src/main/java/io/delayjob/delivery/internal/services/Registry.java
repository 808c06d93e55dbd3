package io.delayjob.delivery.internal.services;

import java.util.concurrent.CompletionStage;

/** Knows the instances of services. */
@FunctionalInterface
public interface Registry {

    /** The instances of a service; none if nobody knows it. */
    CompletionStage<Found> instances(String service);
}

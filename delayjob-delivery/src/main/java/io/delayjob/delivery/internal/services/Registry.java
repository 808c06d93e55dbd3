package io.delayjob.delivery.internal.services;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Knows the instances of services. */
@FunctionalInterface
public interface Registry {

    /** Those of a service that are there now; empty if nobody knows it. */
    CompletionStage<List<Instance>> instances(String service);
}

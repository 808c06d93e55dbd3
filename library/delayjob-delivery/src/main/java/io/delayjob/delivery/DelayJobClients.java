package io.delayjob.delivery;

import java.util.List;

/**
 * Applications that run jobs of some types when they are called back. A process registers by a call, and again at least every ten seconds:
 * after thirty seconds without one it is not called any more. An application that is in a registry of Spring Cloud need not: its metadata
 * {@code delay-queue:task} names its types, separated by commas. Each type is bound to the topic and queue of its {@link ClientType} when it is first
 * seen; that is kept in Redis until it is unbound, so jobs wait for their application after any restart. Thread-safe.
 */
public interface DelayJobClients {

    /**
     * Registers a process, or says that it is still there. Times are by the clock of the node that is called.
     *
     * @param client the process
     * @throws IllegalArgumentException if its url may not be called, or its types cannot be bound; the message says why
     * @throws RefusedBindingException if a type belongs to a queue that is not the {@link #as maker's}, or the maker has registered or bound as
     *     much as it may
     * @throws io.delayjob.DelayJobException if Redis does not answer
     */
    void register(DeliveryClient client);

    /**
     * A process has stopped: it is not called any more. Its types stay bound.
     *
     * @param application the name of the application
     * @param url where the process served
     * @return whether it was registered
     * @throws io.delayjob.DelayJobException if Redis does not answer
     */
    boolean remove(String application, String url);

    /**
     * The processes that are registered by a call and still there.
     *
     * @return in no order
     * @throws io.delayjob.DelayJobException if Redis does not answer
     */
    List<DeliveryClient> list();

    /**
     * The same processes as a maker sees, registers and removes them: those with a type of a queue that is not its own are not there for it. What
     * it registers replaces nothing that another one has registered.
     *
     * @param maker the maker
     * @return the processes
     */
    DelayJobClients as(Maker maker);
}

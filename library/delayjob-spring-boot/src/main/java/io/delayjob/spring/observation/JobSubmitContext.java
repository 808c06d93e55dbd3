package io.delayjob.spring.observation;

import io.delayjob.DelayJobRequest;
import io.delayjob.SubmitResult;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A submit that is observed: of one job, or of many in one call. Its carrier becomes headers of the jobs, but for names that a
 * request has already and values that are too long for a header.
 */
public final class JobSubmitContext extends SenderContext<Map<String, String>> {

    private final String queue;
    private final List<DelayJobRequest<?>> requests;
    private volatile List<SubmitResult> results = List.of();

    /**
     * Of a submit that begins.
     *
     * @param queue see {@link #queue}
     * @param requests see {@link #requests}
     */
    public JobSubmitContext(String queue, Collection<? extends DelayJobRequest<?>> requests) {
        super(
                (carrier, name, value) -> {
                    if (carrier != null) {
                        carrier.put(name, value);
                    }
                },
                Kind.PRODUCER);
        this.queue = queue;
        this.requests = List.copyOf(requests);
        setCarrier(new HashMap<>());
    }

    /**
     * Where the jobs go.
     *
     * @return the queue's name, or one of the fixed values {@code (other)}, for a queue that this application does not name in
     *     its settings or listeners, and {@code (several)}
     */
    public String queue() {
        return queue;
    }

    /** {@return the requests of the call, before interceptors: one or many, in the order of the call} */
    public List<DelayJobRequest<?>> requests() {
        return requests;
    }

    /** {@return one result for each request, in order; empty until the submit is answered, and if it failed} */
    public List<SubmitResult> results() {
        return results;
    }

    /**
     * The submit was answered.
     *
     * @param answers one for each request
     */
    public void answered(List<SubmitResult> answers) {
        results = List.copyOf(answers);
    }
}

package io.delayjob.delivery.internal.running;

import io.delayjob.DelayJobRequest;
import io.delayjob.delivery.internal.binding.Bindings;
import io.delayjob.delivery.internal.binding.Bound;
import io.delayjob.spi.JobInterceptor;
import java.util.function.Predicate;
import org.springframework.core.Ordered;

/** Sends jobs of a bound topic whose request names no queue to the queue of the binding. */
public final class RoutedSubmits implements JobInterceptor, Ordered {

    private final Bindings bindings;
    private final Predicate<String> hasHandler;

    /**
     * Routes submits.
     *
     * @param hasHandler whether this application has a bean or listener of a name; its jobs go where they went before
     */
    public RoutedSubmits(Bindings bindings, Predicate<String> hasHandler) {
        this.bindings = bindings;
        this.hasHandler = hasHandler;
    }

    @Override
    public <T> DelayJobRequest<T> submit(DelayJobRequest<T> request) {
        String topic = request.topic();
        if (topic == null || request.queue() != null) {
            return request;
        }
        Bound bound = bindings.all().get(topic);
        return bound == null || hasHandler.test(topic)
                ? request
                : request.withQueue(bound.binding().queue());
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}

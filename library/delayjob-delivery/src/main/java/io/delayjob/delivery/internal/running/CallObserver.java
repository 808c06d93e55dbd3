package io.delayjob.delivery.internal.running;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.spi.DeliveryOutcome;
import java.util.Set;

/** Is told what becomes of the calls to targets. Implementations are thread-safe and do not block. */
public interface CallObserver {

    /** Nobody looks. */
    CallObserver NONE = new CallObserver() {

        @Override
        public void bound(Set<String> topics) {}

        @Override
        public void ended(Binding binding, DeliveryOutcome outcome, long nanos) {}
    };

    /** The topics that are bound now, whether they are delivered or wait. */
    void bound(Set<String> topics);

    /** A call has ended. */
    void ended(Binding binding, DeliveryOutcome outcome, long nanos);
}

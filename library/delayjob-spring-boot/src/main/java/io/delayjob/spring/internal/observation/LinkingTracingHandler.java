package io.delayjob.spring.internal.observation;

import io.delayjob.spring.observation.JobExecutionContext;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import org.jspecify.annotations.Nullable;

/** Makes each attempt a trace of its own that links to the submit of its job, however long ago that was. */
public final class LinkingTracingHandler implements TracingObservationHandler<JobExecutionContext> {

    private final Tracer tracer;
    private final Propagator propagator;

    public LinkingTracingHandler(Tracer tracer, Propagator propagator) {
        this.tracer = tracer;
        this.propagator = propagator;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof JobExecutionContext;
    }

    @Override
    public void onStart(JobExecutionContext context) {
        Span.Builder builder = tracer.spanBuilder().setNoParent().kind(Span.Kind.CONSUMER);
        TraceContext submit = submit(context);
        if (submit != null) {
            builder.addLink(new Link(submit));
        }
        getTracingContext(context).setSpan(builder.start());
    }

    /** A propagator says what it reads in a span below it only. That is never ended, and so never told to anybody. */
    private @Nullable TraceContext submit(JobExecutionContext context) {
        Span child = propagator
                .extract(context.getCarrier(), (headers, name) -> headers.get(name))
                .start();
        TraceContext below = child.context();
        child.abandon();
        return below.parentId() == null
                ? null
                : tracer.traceContextBuilder()
                        .traceId(below.traceId())
                        .spanId(below.parentId())
                        .sampled(below.sampled())
                        .build();
    }

    @Override
    public void onError(JobExecutionContext context) {
        Throwable failure = context.getError();
        if (failure != null) {
            getRequiredSpan(context).error(failure);
        }
    }

    @Override
    public void onStop(JobExecutionContext context) {
        Span span = getRequiredSpan(context);
        tagSpan(context, span);
        span.name(getSpanName(context));
        endSpan(context, span);
    }

    @Override
    public Tracer getTracer() {
        return tracer;
    }
}

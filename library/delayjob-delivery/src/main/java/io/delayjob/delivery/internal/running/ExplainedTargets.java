package io.delayjob.delivery.internal.running;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobAdmin;
import io.delayjob.Explanation;
import io.delayjob.Explanation.Reason;
import io.delayjob.JobSnapshot;
import io.delayjob.delivery.BindingStatus;
import io.delayjob.delivery.BindingStatus.State;
import io.delayjob.delivery.DelayJobTargets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Adds to what explains a waiting job why its target gets nothing, which the engine does not know. */
public final class ExplainedTargets implements BeanPostProcessor, MethodInterceptor {

    /** Why a job waits that nobody claims. */
    private static final Set<Reason> UNCLAIMED =
            Set.of(Reason.NO_CONSUMER, Reason.NO_HANDLER, Reason.WORKERS_BUSY, Reason.ABOUT_TO_RUN);

    private final Supplier<DelayJobTargets> targets;

    public ExplainedTargets(Supplier<DelayJobTargets> targets) {
        this.targets = targets;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof DelayJobAdmin) {
            return explained(DelayJobAdmin.class, bean);
        }
        return bean instanceof AsyncDelayJobAdmin ? explained(AsyncDelayJobAdmin.class, bean) : bean;
    }

    private Object explained(Class<?> type, Object bean) {
        ProxyFactory proxy = new ProxyFactory(type, this);
        proxy.setTarget(bean);
        return proxy.getProxy(type.getClassLoader());
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object answer = call.proceed();
        if (answer instanceof Explanation explanation) {
            return complete(explanation);
        }
        return answer instanceof CompletableFuture<?> later
                        && call.getMethod().getName().equals("explain")
                ? later.thenApply(explanation -> complete((Explanation) explanation))
                : answer;
    }

    private Explanation complete(Explanation explanation) {
        return Optional.ofNullable(explanation.job())
                .filter(job -> UNCLAIMED.contains(explanation.reason()))
                .flatMap(this::binding)
                .filter(status -> status.state() != State.OPEN)
                .map(status -> new Explanation(
                        explanation.reason(),
                        explanation.text() + "; its topic is bound to " + status.binding() + ", which is "
                                + status.state() + ": " + status.reason(),
                        explanation.job()))
                .orElse(explanation);
    }

    private Optional<BindingStatus> binding(JobSnapshot job) {
        return job.job() == null
                ? Optional.empty()
                : targets.get()
                        .find(job.job())
                        .filter(status -> status.binding().queue().equals(job.queue()));
    }
}

package io.delayjob.engine.extension;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.spi.JobInterceptor;
import io.delayjob.support.Checks;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** The application's interceptors, the first one outermost. */
public final class Interceptors {

    private final Supplier<List<JobInterceptor>> all;

    public Interceptors(Supplier<List<JobInterceptor>> all) {
        this.all = all;
    }

    public <T> DelayJobRequest<T> submit(DelayJobRequest<T> request) {
        DelayJobRequest<T> changed = request;
        for (JobInterceptor interceptor : all.get()) {
            changed = Checks.notNull(interceptor.submit(changed), "the request that " + interceptor + " returns");
        }
        return changed;
    }

    private static JobInterceptor.Attempt once(JobExecution<?> execution, JobInterceptor.Attempt work) {
        AtomicBoolean begun = new AtomicBoolean();
        return () -> {
            if (!begun.compareAndSet(false, true)) {
                throw new IllegalStateException("an interceptor called proceed() twice for attempt "
                        + execution.attempt() + " of job '" + execution.id() + "'");
            }
            work.proceed();
        };
    }

    public void execute(JobExecution<?> execution, JobInterceptor.Attempt work) throws Exception {
        List<JobInterceptor> now = all.get();
        JobInterceptor.Attempt attempt = now.isEmpty() ? work : once(execution, work);
        for (int i = now.size() - 1; i >= 0; i--) {
            JobInterceptor interceptor = now.get(i);
            JobInterceptor.Attempt rest = attempt;
            attempt = () -> interceptor.execute(execution, rest);
        }
        attempt.proceed();
    }
}

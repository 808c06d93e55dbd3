package io.delayjob.redisson.internal.engine;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.internal.Checks;
import io.delayjob.spi.JobInterceptor;
import java.util.List;

/** The application's interceptors, the first one outermost. */
final class Interceptors {

    private final List<JobInterceptor> all;

    Interceptors(List<JobInterceptor> all) {
        this.all = List.copyOf(all);
    }

    <T> DelayJobRequest<T> submit(DelayJobRequest<T> request) {
        DelayJobRequest<T> changed = request;
        for (JobInterceptor interceptor : all) {
            changed = Checks.notNull(interceptor.submit(changed), "request of " + interceptor);
        }
        return changed;
    }

    void execute(JobExecution<?> execution, JobInterceptor.Attempt work) throws Exception {
        JobInterceptor.Attempt attempt = work;
        for (int i = all.size() - 1; i >= 0; i--) {
            JobInterceptor interceptor = all.get(i);
            JobInterceptor.Attempt rest = attempt;
            attempt = () -> interceptor.execute(execution, rest);
        }
        attempt.proceed();
    }
}

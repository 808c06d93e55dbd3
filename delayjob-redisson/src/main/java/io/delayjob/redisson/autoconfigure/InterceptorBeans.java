package io.delayjob.redisson.autoconfigure;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.internal.Checks;
import io.delayjob.spi.JobInterceptor;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * The application's interceptors as one, the first one outermost. Made at the first job, because they may need what delayjob
 * offers.
 */
final class InterceptorBeans implements JobInterceptor {

    private final SingletonSupplier<List<JobInterceptor>> all;

    InterceptorBeans(ObjectProvider<JobInterceptor> beans) {
        this.all = SingletonSupplier.of(() -> beans.orderedStream().toList());
    }

    @Override
    public <T> DelayJobRequest<T> submit(DelayJobRequest<T> request) {
        DelayJobRequest<T> changed = request;
        for (JobInterceptor interceptor : all.obtain()) {
            changed = Checks.notNull(interceptor.submit(changed), "request of " + interceptor);
        }
        return changed;
    }

    @Override
    public void execute(JobExecution<?> execution, Attempt attempt) throws Exception {
        proceed(all.obtain(), execution, attempt);
    }

    private static void proceed(List<JobInterceptor> rest, JobExecution<?> execution, Attempt attempt)
            throws Exception {
        if (rest.isEmpty()) {
            attempt.proceed();
        } else {
            rest.get(0).execute(execution, () -> proceed(rest.subList(1, rest.size()), execution, attempt));
        }
    }
}

package io.delayjob.spi;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;

/**
 * Surrounds submits and attempts. Beans of this type are applied in Spring's order, the first one outermost. Called on many
 * threads at once.
 *
 * <pre>{@code
 * @Bean
 * JobInterceptor tenant() {
 *     return new JobInterceptor() {
 *         public <T> DelayJobRequest<T> submit(DelayJobRequest<T> request) {
 *             return request.withHeader("tenant", Tenant.current());
 *         }
 *         public void execute(JobExecution<?> execution, Attempt attempt) throws Exception {
 *             try (var scope = Tenant.open(execution.headers().get("tenant"))) {
 *                 attempt.proceed();
 *             }
 *         }
 *     };
 * }
 * }</pre>
 */
public interface JobInterceptor {

    /** The rest of an attempt: the next interceptor, at last the bean. */
    @FunctionalInterface
    interface Attempt {

        /**
         * Goes on. Not more than once.
         *
         * @throws Exception what the bean threw
         */
        void proceed() throws Exception;
    }

    /**
     * Sees a request before it is checked and sent, on the thread that submits; for headers that travel with the job.
     *
     * @param request as the caller, or the interceptor before this one, made it
     * @param <T> the type of the parameter
     * @return what is submitted instead; the request itself to change nothing
     */
    default <T> DelayJobRequest<T> submit(DelayJobRequest<T> request) {
        return request;
    }

    /**
     * Surrounds an attempt, on the worker's thread. What it throws counts as thrown by the bean; not calling {@code attempt}
     * and returning completes the job unrun.
     *
     * @param execution the job and this attempt
     * @param attempt the rest
     * @throws Exception to have the attempt fail
     */
    default void execute(JobExecution<?> execution, Attempt attempt) throws Exception {
        attempt.proceed();
    }
}

package io.delayjob.spi;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;

/**
 * Surrounds submits and attempts. Beans of this type are applied in Spring's order, the first one outermost. Must be thread-safe.
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

    /** The rest of an attempt: the next interceptor, or the bean after the last interceptor. */
    @FunctionalInterface
    interface Attempt {

        /**
         * Continues the attempt. May be called once only.
         *
         * @throws Exception what the bean threw
         */
        void proceed() throws Exception;
    }

    /**
     * Called with a request before it is checked and sent, on the thread that submits; the place to add headers to the job.
     *
     * @param request the request of the caller, or of the interceptor before this one
     * @param <T> the type of the parameter
     * @return the request to submit instead; the given one to change nothing
     */
    default <T> DelayJobRequest<T> submit(DelayJobRequest<T> request) {
        return request;
    }

    /**
     * Surrounds an attempt, on the worker's thread. What it throws counts as thrown by the bean. Returning without calling {@code
     * attempt} completes the job without running it.
     *
     * @param execution the job and this attempt
     * @param attempt the rest of the attempt
     * @throws Exception to make the attempt fail
     */
    default void execute(JobExecution<?> execution, Attempt attempt) throws Exception {
        attempt.proceed();
    }
}

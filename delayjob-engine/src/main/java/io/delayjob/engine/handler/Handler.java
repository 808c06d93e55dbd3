package io.delayjob.engine.handler;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.JobExecution;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.ConsumedQueue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;

/**
 * Runs the jobs of one name on this node: a {@link io.delayjob.DelayJob} bean, or the method of a listener.
 *
 * @param name what records call it
 * @param label what messages call it: the bean and its class, or the method
 * @param jobClass the class that requests call it; null for a listener
 * @param paramType what it is given
 * @param work does it
 * @param ackMode who says how an attempt ended
 * @param attempts how it wants its jobs to be tried
 * @param consumed the queue that it has this node consume; null for a bean that states none
 */
public record Handler(
        String name,
        String label,
        @Nullable Class<?> jobClass,
        JavaType paramType,
        Work work,
        AckMode ackMode,
        AttemptPolicy attempts,
        @Nullable ConsumedQueue consumed) {

    /** The code of the application that an attempt is. */
    @FunctionalInterface
    public interface Work {

        /**
         * Does one attempt.
         *
         * @param acknowledgment says how it ended; to be used with {@link AckMode#MANUAL} only
         */
        void execute(JobExecution<Object> execution, Acknowledgment acknowledgment) throws Exception;
    }
}

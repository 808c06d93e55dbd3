package io.delayjob.engine.handler;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.JobExecution;
import io.delayjob.NodeSnapshot;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.ConsumedQueue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;

/**
 * Runs the jobs of one name on this node: a {@link io.delayjob.DelayJob} bean, or the method of a listener.
 *
 * @param name the name of its jobs in records
 * @param label its name in messages: the bean and its class, or the method
 * @param jobClass the class that requests name; null for a listener
 * @param paramType the type of its param
 * @param work the application code that runs an attempt
 * @param ackMode the rule that decides how an attempt ended
 * @param attempts how its jobs are tried, unless their request says otherwise
 * @param priority the priority of its jobs that this application submits, unless their request says otherwise; null for the usual one
 * @param consumed the queue that this node consumes for it; null for a bean that states none
 * @param recurring the schedule that it declares; null for none
 */
public record Handler(
        String name,
        String label,
        @Nullable Class<?> jobClass,
        JavaType paramType,
        Work work,
        AckMode ackMode,
        AttemptPolicy attempts,
        @Nullable Integer priority,
        @Nullable ConsumedQueue consumed,
        @Nullable DeclaredSchedule recurring) {

    /** A handler that declares no schedule. */
    public Handler(
            String name,
            String label,
            @Nullable Class<?> jobClass,
            JavaType paramType,
            Work work,
            AckMode ackMode,
            AttemptPolicy attempts,
            @Nullable Integer priority,
            @Nullable ConsumedQueue consumed) {
        this(name, label, jobClass, paramType, work, ackMode, attempts, priority, consumed, null);
    }

    /** The same with the schedule that it declares; null for none. */
    public Handler with(@Nullable DeclaredSchedule declared) {
        return new Handler(name, label, jobClass, paramType, work, ackMode, attempts, priority, consumed, declared);
    }

    /** Checks the name. */
    public Handler {
        if (name.equals(NodeSnapshot.ANY_JOB)) {
            throw new IllegalArgumentException(label + " must not be named '" + name + "', which stands for any job");
        }
    }

    /** The application code that runs an attempt. */
    @FunctionalInterface
    public interface Work {

        /**
         * Runs one attempt.
         *
         * @param acknowledgment settles the attempt; for {@link AckMode#MANUAL} only
         */
        void execute(JobExecution<Object> execution, Acknowledgment acknowledgment) throws Exception;
    }
}

package io.delayjob.client;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobQueue;
import io.delayjob.support.Checks;
import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the job name and the queue that a {@link DelayJob} class states, as the application that runs its jobs reads them. */
final class JobClasses {

    private JobClasses() {}

    /** The name that is stored with the jobs. */
    static String name(Class<?> jobClass) {
        DelayJobName stated = find(jobClass, DelayJobName.class);
        return stated == null ? jobClass.getName() : Checks.jobName(stated.value());
    }

    /** The queue; null if the class names none. */
    static @Nullable String queue(Class<?> jobClass) {
        DelayJobQueue stated = find(jobClass, DelayJobQueue.class);
        if (stated == null || stated.value().isEmpty()) {
            return null;
        }
        if (stated.value().contains("${") || stated.value().contains("#{")) {
            throw new IllegalArgumentException("@DelayJobQueue of " + jobClass.getName() + " is '" + stated.value()
                    + "', which only the application that runs the job can resolve; name the queue with withQueue");
        }
        return Checks.queue(stated.value());
    }

    private static <A extends Annotation> @Nullable A find(@Nullable Class<?> type, Class<A> annotation) {
        if (type == null) {
            return null;
        }
        A own = type.getAnnotation(annotation);
        return own != null
                ? own
                : Stream.concat(Arrays.stream(type.getInterfaces()), Stream.ofNullable(type.getSuperclass()))
                        .map(above -> find(above, annotation))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }
}

package io.delayjob.client;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobPolicy;
import io.delayjob.DelayJobQueue;
import io.delayjob.support.Checks;
import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the job name, the queue and the priority that a {@link DelayJob} class states, as the application that runs its jobs reads them. */
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
        String place = "@DelayJobQueue of " + jobClass.getName();
        return Checks.queue(resolved(place, stated.value(), "name the queue with withQueue"));
    }

    /** The priority of the jobs; null if the class states none. */
    static @Nullable Integer priority(Class<?> jobClass) {
        DelayJobPolicy stated = find(jobClass, DelayJobPolicy.class);
        if (stated == null || stated.priority().isEmpty()) {
            return null;
        }
        String place = "priority in @DelayJobPolicy of " + jobClass.getName();
        String text = resolved(place, stated.priority(), "state it with withPriority");
        try {
            return Checks.priority(Integer.parseInt(text.strip()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(place + " must be a whole number, 0 to 9: '" + text + "'", e);
        }
    }

    private static String resolved(String place, String text, String remedy) {
        if (text.contains("${") || text.contains("#{")) {
            throw new IllegalArgumentException(
                    place + " is '" + text + "', which only the application that runs the job can resolve; " + remedy);
        }
        return text;
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

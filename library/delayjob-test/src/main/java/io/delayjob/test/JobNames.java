package io.delayjob.test;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobRequest;
import org.springframework.core.annotation.AnnotationUtils;

/** The names that are stored with jobs. */
final class JobNames {

    private JobNames() {}

    static String of(Class<?> jobClass) {
        DelayJobName stated = AnnotationUtils.findAnnotation(jobClass, DelayJobName.class);
        return stated == null ? jobClass.getName() : stated.value();
    }

    static String of(DelayJobRequest<?> request) {
        Class<? extends DelayJob<?>> jobClass = request.jobClass();
        return jobClass == null ? String.valueOf(request.topic()) : of(jobClass);
    }

    /** The simple name of a class, or the name itself if it is not a class. */
    static String display(String job) {
        int end = job.lastIndexOf('.');
        String simple = job.substring(end + 1);
        return !simple.isEmpty() && Character.isUpperCase(simple.charAt(0)) ? simple.replace('$', '.') : job;
    }
}

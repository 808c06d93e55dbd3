package io.delayjob.engine.settings;

import io.delayjob.NonRetryableException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which exceptions are retried. Of the classes named, the one nearest above the exception's own counts; an exception above which
 * none is named is retried.
 *
 * @param retryFor retried, until the attempts are used up
 * @param noRetryFor never retried
 */
public record ExceptionRules(Set<Class<? extends Throwable>> retryFor, Set<Class<? extends Throwable>> noRetryFor) {

    /** Names no class. */
    public static final ExceptionRules NONE = new ExceptionRules(Set.of(), Set.of());

    /** What holds unless the application says otherwise. */
    public static final ExceptionRules BASE = new ExceptionRules(Set.of(), Set.of(NonRetryableException.class));

    /** Checks that no class is named twice. */
    public ExceptionRules {
        retryFor = Set.copyOf(retryFor);
        noRetryFor = Set.copyOf(noRetryFor);
        for (Class<?> type : retryFor) {
            if (noRetryFor.contains(type)) {
                throw new IllegalArgumentException(type.getName() + " is in both retryFor and noRetryFor; remove it from one of them");
            }
        }
    }

    /** These rules, and others for the classes that these do not name. */
    public ExceptionRules over(ExceptionRules others) {
        if (isEmpty()) {
            return others;
        }
        if (others.isEmpty()) {
            return this;
        }
        return new ExceptionRules(
                union(retryFor, others.retryFor, noRetryFor), union(noRetryFor, others.noRetryFor, retryFor));
    }

    private boolean isEmpty() {
        return retryFor.isEmpty() && noRetryFor.isEmpty();
    }

    private static Set<Class<? extends Throwable>> union(
            Set<Class<? extends Throwable>> own,
            Set<Class<? extends Throwable>> others,
            Set<Class<? extends Throwable>> but) {
        Set<Class<? extends Throwable>> union = new HashSet<>(others);
        union.removeAll(but);
        union.addAll(own);
        return union;
    }

    /** Whether another attempt may follow this failure. */
    public boolean retries(Throwable failure) {
        for (@Nullable Class<?> type = failure.getClass(); type != null; type = type.getSuperclass()) {
            if (retryFor.contains(type)) {
                return true;
            }
            if (noRetryFor.contains(type)) {
                return false;
            }
        }
        return true;
    }
}

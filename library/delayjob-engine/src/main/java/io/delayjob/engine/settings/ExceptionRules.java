package io.delayjob.engine.settings;

import io.delayjob.NonRetryableException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which exceptions are retried. The nearest of the named classes decides: the exception's own class, or else its closest
 * superclass. An exception that matches no named class is retried.
 *
 * @param retryFor exceptions that are retried until the attempts are used up
 * @param noRetryFor exceptions that are never retried
 */
public record ExceptionRules(Set<Class<? extends Throwable>> retryFor, Set<Class<? extends Throwable>> noRetryFor) {

    /** No rules. */
    public static final ExceptionRules NONE = new ExceptionRules(Set.of(), Set.of());

    /** The rules that apply unless the application sets others. */
    public static final ExceptionRules BASE = new ExceptionRules(Set.of(), Set.of(NonRetryableException.class));

    /** Checks that no class is named twice. */
    public ExceptionRules {
        retryFor = Set.copyOf(retryFor);
        noRetryFor = Set.copyOf(noRetryFor);
        for (Class<?> type : retryFor) {
            if (noRetryFor.contains(type)) {
                throw new IllegalArgumentException(
                        type.getName() + " is in both retryFor and noRetryFor; remove it from one of them");
            }
        }
    }

    /** These rules, combined with others for the classes that these do not name. */
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

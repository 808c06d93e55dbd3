package io.delayjob.spring.internal.listener;

import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;

/** Methods that return before their work is done: their job would be completed, and a later failure be lost. */
final class Asynchrony {

    private Asynchrony() {}

    /**
     * Lets the method of a listener be, or not.
     *
     * @param target the class of the bean
     * @throws IllegalArgumentException if it is asynchronous, saying what to do
     */
    static void refuse(Method method, Class<?> target) {
        Class<?> returned = GenericTypeResolver.resolveReturnType(method, target);
        if (isAsynchronous(returned)) {
            throw new IllegalArgumentException("it returns a " + returned.getSimpleName()
                    + ", whose outcome nobody would see; return when the work is done, or let it return void, use ackMode"
                    + " MANUAL and acknowledge when the work completes");
        }
        refuseAsync(method, target);
    }

    /**
     * Lets a method be, or not, whatever it returns.
     *
     * @param target the class of the bean
     * @throws IllegalArgumentException if it is {@link Async}, saying what to do
     */
    static void refuseAsync(Method method, Class<?> target) {
        refuseAsync(AnnotatedElementUtils.hasAnnotation(method, Async.class), "it", "remove @Async");
        refuseAsync(
                AnnotatedElementUtils.hasAnnotation(target, Async.class),
                "its class",
                "remove @Async, or move the method to another class");
    }

    /** Redisson brings Reactor and RxJava, so that their types are known to the registry. */
    private static boolean isAsynchronous(Class<?> returned) {
        return CompletionStage.class.isAssignableFrom(returned)
                || Future.class.isAssignableFrom(returned)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned) != null;
    }

    private static void refuseAsync(boolean async, String what, String remedy) {
        if (async) {
            throw new IllegalArgumentException(what
                    + " is @Async, so that its job would be completed before the work is done, and a failure be lost; "
                    + remedy + ": jobs run on threads of their own");
        }
    }
}

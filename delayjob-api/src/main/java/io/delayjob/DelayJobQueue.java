package io.delayjob;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The queue of a {@link DelayJob} class, as {@link DelayJobListener#queue} is for a listener: this node takes jobs from it, and
 * this application submits jobs of the class to it unless the request names a queue.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface DelayJobQueue {

    /** The queue: 1 to 64 of {@code A-Z a-z 0-9 . _ -}; empty for the default queue. May contain property placeholders and SpEL. */
    String value();
}

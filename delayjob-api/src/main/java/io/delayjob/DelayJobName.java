package io.delayjob;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a {@link DelayJob} class a name that is stored with its jobs instead of the class name, so that the class can be renamed or
 * moved while jobs are waiting. A name must be unique in an application; the application does not start with two jobs of one name.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface DelayJobName {

    /** The stored name: 1 to 256 characters without control characters. */
    String value();
}

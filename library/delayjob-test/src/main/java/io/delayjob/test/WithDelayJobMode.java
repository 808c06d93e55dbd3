package io.delayjob.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sets another {@link DelayJobMode} for one test method, or for a class that shares its application context with classes of another
 * mode. On a method it takes precedence over the class, on a class over {@link DelayJobTest#mode}.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface WithDelayJobMode {

    /**
     * When jobs run.
     *
     * @return the mode
     */
    DelayJobMode value();
}

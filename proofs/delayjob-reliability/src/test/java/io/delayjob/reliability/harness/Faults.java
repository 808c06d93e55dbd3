package io.delayjob.reliability.harness;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * On a class of tests that each play a fault on the {@link Stage} they are given, some at the same time. The account of each is printed, and that of
 * all is written to {@code target/reliability/accounts.md}.
 *
 * <p>System property {@code reliability.seed}: another seed than 1.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(StageExtension.class)
@Execution(ExecutionMode.CONCURRENT)
public @interface Faults {}

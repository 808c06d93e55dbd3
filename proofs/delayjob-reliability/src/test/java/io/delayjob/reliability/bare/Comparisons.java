package io.delayjob.reliability.bare;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * On a class of tests that each play a fault on Redisson alone, where it must show, and on delayjob, where it must not. They mostly
 * wait, so they run side by side. What was seen is printed, and written to {@code target/reliability/faults.md}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ComparisonExtension.class)
@Execution(ExecutionMode.CONCURRENT)
@interface Comparisons {}

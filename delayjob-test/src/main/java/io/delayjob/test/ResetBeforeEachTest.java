package io.delayjob.test;

import java.lang.reflect.AnnotatedElement;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Resets the shared context before each test method, and before the method's transaction and SQL scripts. */
final class ResetBeforeEachTest extends AbstractTestExecutionListener {

    /** Before Spring's listeners for transactions (4000) and SQL scripts (5000). */
    private static final int ORDER = 3900;

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        if (test.hasApplicationContext()) {
            test.getApplicationContext()
                    .getBeanProvider(TestBench.class)
                    .ifAvailable(bench -> bench.reset(mode(test.getTestMethod(), test.getTestClass())));
        }
    }

    private static DelayJobMode mode(AnnotatedElement method, Class<?> testClass) {
        WithDelayJobMode ofMethod = AnnotatedElementUtils.findMergedAnnotation(method, WithDelayJobMode.class);
        return ofMethod != null ? ofMethod.value() : mode(testClass);
    }

    private static DelayJobMode mode(Class<?> testClass) {
        WithDelayJobMode stated = TestContextAnnotationUtils.findMergedAnnotation(testClass, WithDelayJobMode.class);
        if (stated != null) {
            return stated.value();
        }
        AutoConfigureDelayJobTest test =
                TestContextAnnotationUtils.findMergedAnnotation(testClass, AutoConfigureDelayJobTest.class);
        return modeOr(test);
    }

    private static DelayJobMode modeOr(@Nullable AutoConfigureDelayJobTest test) {
        return test == null ? DelayJobMode.MANUAL : test.mode();
    }
}

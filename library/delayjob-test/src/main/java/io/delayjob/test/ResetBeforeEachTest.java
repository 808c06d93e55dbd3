package io.delayjob.test;

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
            test.getApplicationContext().getBeanProvider(TestBench.class).ifAvailable(bench -> bench.reset(mode(test)));
        }
    }

    private static DelayJobMode mode(TestContext test) {
        WithDelayJobMode stated =
                AnnotatedElementUtils.findMergedAnnotation(test.getTestMethod(), WithDelayJobMode.class);
        if (stated == null) {
            stated = TestContextAnnotationUtils.findMergedAnnotation(test.getTestClass(), WithDelayJobMode.class);
        }
        return stated == null ? modeOfClass(test.getTestClass()) : stated.value();
    }

    private static DelayJobMode modeOfClass(Class<?> testClass) {
        AutoConfigureDelayJobTest test =
                TestContextAnnotationUtils.findMergedAnnotation(testClass, AutoConfigureDelayJobTest.class);
        return test == null ? DelayJobMode.MANUAL : test.mode();
    }
}

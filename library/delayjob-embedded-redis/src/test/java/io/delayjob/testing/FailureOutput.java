package io.delayjob.testing;

import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Adds the last lines that a test's JVM has printed to the test's failure, and names the file that has all of them.
 *
 * <p>JUnit finds it by itself in the modules that have this kit.
 */
public final class FailureOutput implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {

    private static final int LINES = 40;
    private static final OutputTail OUTPUT = OutputTail.ofStandardOutput(LINES);

    /** For JUnit. */
    public FailureOutput() {}

    /** The output of a failed test, as an exception that a stack trace shows. */
    private static final class Output extends Exception {

        private static final long serialVersionUID = 1;

        Output(String text) {
            super(text, null, false, false);
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw withOutput(context, failure);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw withOutput(context, failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw withOutput(context, failure);
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw withOutput(context, failure);
    }

    @Override
    public void handleAfterAllMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw withOutput(context, failure);
    }

    private static Throwable withOutput(ExtensionContext context, Throwable failure) {
        boolean skipped = failure instanceof TestAbortedException;
        if (!skipped) {
            failure.addSuppressed(new Output(text(context.getRequiredTestClass())));
        }
        return failure;
    }

    private static String text(Class<?> test) {
        return "all of it is in %s, and the last lines are:%n%s".formatted(file(test), OUTPUT.text());
    }

    /** The file that Surefire or Failsafe writes. */
    private static Path file(Class<?> test) {
        String reports = test.getSimpleName().endsWith("IT") ? "failsafe-reports" : "surefire-reports";
        Path module = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
        return module.resolve(Path.of("target", reports, test.getName() + "-output.txt"));
    }
}

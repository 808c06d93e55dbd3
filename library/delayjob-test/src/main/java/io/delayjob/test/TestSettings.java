package io.delayjob.test;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * The properties of a test's application context, which take precedence over all others. They are the same for all tests, so that
 * tests can share a context.
 */
record TestSettings() implements ContextCustomizer {

    /** Marks the context of a test. Not a public property of delayjob. */
    static final String TEST = "io.delayjob.test.active";

    /** The folder is that of a Redis of the application's own, which would be started there. */
    private static final Map<String, Object> PROPERTIES =
            Map.of(TEST, "true", "delayjob.consume", "false", "embedded-redis.folder", "false");

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("delayjob-test", PROPERTIES));
    }

    /** Applies the settings to tests with the annotation. */
    static final class Factory implements ContextCustomizerFactory {

        @Override
        public @Nullable ContextCustomizer createContextCustomizer(
                Class<?> testClass, List<ContextConfigurationAttributes> configAttributes) {
            return TestContextAnnotationUtils.hasAnnotation(testClass, AutoConfigureDelayJobTest.class)
                    ? new TestSettings()
                    : null;
        }
    }
}

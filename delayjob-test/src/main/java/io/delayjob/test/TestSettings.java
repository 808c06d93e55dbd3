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

/** The properties of a test's context, which go before all others. All tests have the same ones, and may share their contexts. */
record TestSettings() implements ContextCustomizer {

    /** Whether a context is that of a test. Not one of the properties of delayjob. */
    static final String TEST = "io.delayjob.test.active";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("delayjob-test", Map.of(TEST, "true", "delayjob.consume", "false")));
    }

    /** For the tests that have the annotation. */
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

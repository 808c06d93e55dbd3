package io.delayjob.test;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/** Keeps auto-configurations out of a test's context whose work the test does itself: of Redis, and of the journal in SQL. */
final class LeftOut implements AutoConfigurationImportFilter, EnvironmentAware {

    private static final List<String> REPLACED =
            List.of("org.redisson.spring.starter.", "io.delayjob.redisson.", "io.delayjob.journal.");

    private boolean test;

    @Override
    public void setEnvironment(Environment environment) {
        test = environment.getProperty(TestSettings.TEST, Boolean.class, false);
    }

    @Override
    public boolean[] match(@Nullable String[] classes, AutoConfigurationMetadata metadata) {
        boolean[] kept = new boolean[classes.length];
        for (int i = 0; i < classes.length; i++) {
            String name = classes[i];
            kept[i] = !test || name == null || REPLACED.stream().noneMatch(name::startsWith);
        }
        return kept;
    }
}

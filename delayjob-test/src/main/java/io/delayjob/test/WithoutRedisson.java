package io.delayjob.test;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/** Keeps Redisson's auto-configuration out of a test's context: it would connect to Redis at once. */
final class WithoutRedisson implements AutoConfigurationImportFilter, EnvironmentAware {

    private static final String REDISSON = "org.redisson.spring.starter.";

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
            kept[i] = !test || name == null || !name.startsWith(REDISSON);
        }
        return kept;
    }
}

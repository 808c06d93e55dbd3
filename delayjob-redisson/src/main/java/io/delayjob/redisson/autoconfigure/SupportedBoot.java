package io.delayjob.redisson.autoconfigure;

import io.delayjob.spring.InvalidConfigurationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/** Refuses an older Spring Boot by name, where the application would fail on a missing class. */
public final class SupportedBoot implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\..*");
    private static final int MAJOR = 4;
    private static final int MINOR = 1;

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        check(SpringBootVersion.getVersion());
    }

    /** Throws if delayjob does not run in Redis on this version. One that is not understood is let through. */
    static void check(String version) {
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            return;
        }
        int major = Integer.parseInt(parts.group(1));
        if (major < MAJOR || (major == MAJOR && Integer.parseInt(parts.group(2)) < MINOR)) {
            throw new InvalidConfigurationException(
                    "delayjob-redisson needs Spring Boot 4.1, and this application has " + version
                            + "; update it, or replace delayjob-redisson by delayjob-client, which works on Spring Boot"
                            + " 3.5 with a delayjob server",
                    null);
        }
    }
}

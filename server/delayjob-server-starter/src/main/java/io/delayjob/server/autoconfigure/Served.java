package io.delayjob.server.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/** Says what an application serves: the API, the console and the older protocols, each by its own property. */
final class Served {

    private static final String CONSOLE = "io.delayjob.server.console.autoconfigure.DelayJobConsoleAutoConfiguration";
    private static final String PROTOCOLS = "delayjob.server.protocols.";

    private final Environment properties;
    private final boolean hasConsole;

    Served(Environment properties, @Nullable ClassLoader classes) {
        this.properties = properties;
        this.hasConsole = ClassUtils.isPresent(CONSOLE, classes);
    }

    /** Says the property; without one, an application serves it that has not added the console. */
    boolean api() {
        Boolean stated = properties.getProperty("delayjob.server.enabled", Boolean.class);
        return stated == null ? !hasConsole : stated;
    }

    boolean console() {
        return hasConsole && properties.getProperty("delayjob.console.enabled", Boolean.class, true);
    }

    String consolePath() {
        return properties.getProperty("delayjob.console.path", "/console");
    }

    boolean anything() {
        return api() || console() || protocol("delay-queue") || protocol("mykit");
    }

    private boolean protocol(String name) {
        return properties.getProperty(PROTOCOLS + name + ".enabled", Boolean.class, false);
    }

    /** The paths that are served, each with the property that says another one. */
    Map<String, String> paths(DelayJobServerProperties server) {
        Map<String, String> paths = new LinkedHashMap<>();
        if (api()) {
            paths.put(server.path(), "delayjob.server.path");
        }
        if (console()) {
            paths.put(consolePath(), "delayjob.console.path");
        }
        ProtocolRoutes.of(server.protocols().delayQueue())
                .forEach(path -> paths.put(path, PROTOCOLS + "delay-queue.path"));
        ProtocolRoutes.of(server.protocols().mykit())
                .forEach(path -> paths.put(path.replace("/*", ""), PROTOCOLS + "mykit.path"));
        return paths;
    }

    /** Matches if an application serves the API. */
    static final class OnApi extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return new ConditionOutcome(in(context).api(), "whether the HTTP API is served");
        }
    }

    /** Matches if an application serves anything. */
    static final class OnAnything extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return new ConditionOutcome(
                    in(context).anything(), "whether the HTTP API, the console or an older protocol is served");
        }
    }

    private static Served in(ConditionContext context) {
        return new Served(context.getEnvironment(), context.getClassLoader());
    }
}

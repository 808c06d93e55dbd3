package io.delayjob.coexistence.host;

import java.util.Arrays;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.NestedExceptionUtils;

/** An application that caches and is looked at, as it is without delayjob. It prints what it is made of, a line each. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableCaching
public class HostApplication {

    /** Prefix of a line of interest; all other lines are the log. */
    public static final String MARK = "host: ";

    private static final int MOST_CALLS = 100;
    private static final int PAUSE_MILLIS = 50;

    @Bean
    Greeter greeter() {
        return new Greeter();
    }

    /** Starts it, prints, and ends. */
    public static void main(String[] args) throws InterruptedException {
        SpringApplication application = new SpringApplication(HostApplication.class);
        application.setBannerMode(Banner.Mode.OFF);
        application.setDefaultProperties(Map.of("management.endpoints.web.exposure.include", "*"));
        try (ConfigurableApplicationContext context = application.run(args)) {
            beans(context);
            say("caches with", context.getBean(CacheManager.class).getClass().getName());
            say("cached", cached(context.getBean(Greeter.class)));
            health(context.getBean(HealthEndpoint.class));
        }
    }

    private static void health(HealthEndpoint endpoint) {
        if (endpoint.health() instanceof CompositeHealthDescriptor health && health.getComponents() != null) {
            health.getComponents().forEach((name, one) -> say("health", name + " " + one.getStatus()));
        }
    }

    private static void beans(ConfigurableApplicationContext context) {
        Arrays.stream(context.getBeanDefinitionNames()).sorted().forEach(name -> {
            Class<?> type = context.getType(name);
            say("bean", name + " " + (type == null ? "?" : type.getName().replaceAll("\\$\\$.*", "")));
        });
    }

    /** Whether calls are answered by the cache. Its answers may be written to Redis in the background, so it is asked for some time. */
    private static String cached(Greeter greeter) throws InterruptedException {
        try {
            boolean cached = false;
            for (int call = 0; call < MOST_CALLS && !cached; call++) {
                cached = greeter.greet("Ann").equals(greeter.greet("Ann"));
                Thread.sleep(PAUSE_MILLIS);
            }
            return Boolean.toString(cached);
        } catch (RuntimeException e) {
            return NestedExceptionUtils.getMostSpecificCause(e).toString();
        }
    }

    /** Prints a line of interest. */
    public static void say(String what, String value) {
        System.out.println(MARK + what + " " + value);
    }
}

package io.delayjob.embedded.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Refuses to start a web application with a Redis of its own if its port is taken. Spring Boot would say so too, but only when everything
 * else, that Redis included, has been started.
 */
final class BusyPortCheck implements EnvironmentPostProcessor, Ordered {

    private static final int DEFAULT_PORT = 8080;

    /** Set by Spring Boot in tests, which rarely open the port. */
    private static final String TEST = "org.springframework.boot.test.context.SpringBootTestContextBootstrapper";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        int port = environment.getProperty("server.port", Integer.class, DEFAULT_PORT);
        if (port > 0 && serves(environment, application) && RedisLocation.isOwn(environment)) {
            bindOnce(port, environment.getProperty("server.address", InetAddress.class));
        }
    }

    /** An application that is only processed ahead of time opens no port. */
    private static boolean serves(ConfigurableEnvironment environment, SpringApplication application) {
        return application.getWebApplicationType() != WebApplicationType.NONE
                && !"none".equals(environment.getProperty("spring.main.web-application-type"))
                && !environment.getProperty("spring.aot.processing", Boolean.class, false)
                && !environment.containsProperty(TEST);
    }

    private static void bindOnce(int port, @Nullable InetAddress address) {
        try {
            new ServerSocket(port, 1, address).close();
        } catch (IOException e) {
            PortInUseException.throwIfPortBindingException(e, () -> port);
        }
    }

    /** When all files of properties have been read. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}

package io.delayjob.server;

import io.delayjob.testing.RedisServer;
import io.delayjob.testing.Variants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.test.util.ReflectionTestUtils;

/** An application that serves the API, with keys of its own on the shared Redis. It has Spring Security only if a test asks for it. */
final class TestServer implements AutoCloseable {

    /** The web stack of the application. */
    enum Kind {
        /** WebFlux on Reactor Netty, as the server is. */
        NETTY(WebApplicationType.REACTIVE, Application.class),
        /** Spring MVC on Tomcat. */
        TOMCAT(WebApplicationType.SERVLET, OnTomcat.class),
        /** Spring MVC on Jetty. */
        JETTY(WebApplicationType.SERVLET, OnJetty.class);

        private final WebApplicationType type;
        private final Class<?> application;

        Kind(WebApplicationType type, Class<?> application) {
            this.type = type;
            this.application = application;
        }

        TestServer start(String... properties) {
            return start(prefix(), properties);
        }

        TestServer start(String prefix, String[] properties) {
            return startOn(RedisServer.shared().url(), prefix, this, List.of(application), properties);
        }

        /** With beans of the application's own. */
        TestServer startWith(Class<?> beans, String... properties) {
            return startOn(RedisServer.shared().url(), prefix(), this, List.of(application, beans), properties);
        }

        /** With Spring Security. */
        TestServer startSecured(Class<?> configuration, String... properties) {
            return startSecuredWithout("none", configuration, properties);
        }

        /** With Spring Security, and another Redis. */
        TestServer startSecuredOn(String redis, Class<?> configuration, String... properties) {
            return startWithout("none", redis, prefix(), this, List.of(application, configuration), properties);
        }

        /** With Spring Security except for a package. */
        TestServer startSecuredWithout(String absent, Class<?> configuration, String... properties) {
            return startWithout(
                    absent,
                    RedisServer.shared().url(),
                    prefix(),
                    this,
                    List.of(application, configuration),
                    properties);
        }
    }

    static final String ADMIN = "the-first-token";

    /** Class loaders without a package, one each: Spring keeps by class loader what it has read from the class path. */
    private static final Map<String, ClassLoader> WITHOUT = new ConcurrentHashMap<>();

    private final ConfigurableApplicationContext context;

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {

        /** Tomcat and Jetty are there, too. */
        @Bean
        NettyReactiveWebServerFactory netty(ReactorResourceFactory resources) {
            NettyReactiveWebServerFactory netty = new NettyReactiveWebServerFactory();
            netty.setResourceFactory(resources);
            return netty;
        }

        /** Of its own, because the end of one server would end the threads of all others of this JVM. */
        @Bean
        ReactorResourceFactory reactorResources() {
            ReactorResourceFactory resources = new ReactorResourceFactory();
            resources.setUseGlobalResources(false);
            resources.setShutdownQuietPeriod(Duration.ZERO);
            return resources;
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class OnTomcat {

        @Bean
        TomcatServletWebServerFactory tomcat() {
            return new TomcatServletWebServerFactory();
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class OnJetty {

        @Bean
        JettyServletWebServerFactory jetty() {
            return new JettyServletWebServerFactory();
        }
    }

    /** The servers of the tests that are the same on each. */
    static Stream<Kind> kinds() {
        return Variants.of(Kind.NETTY, List.of(Kind.TOMCAT));
    }

    /** WebFlux, or the servlet containers with the profile {@code proofs}. */
    static Stream<Kind> stacks() {
        return Variants.of(Kind.NETTY, List.of(Kind.TOMCAT, Kind.JETTY));
    }

    private TestServer(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** A server of jobs that no other test sees. */
    static TestServer start(String... properties) {
        return start(prefix(), properties);
    }

    /** A prefix of keys for several servers. */
    static String prefix() {
        return "server-" + UUID.randomUUID();
    }

    static TestServer start(String prefix, String[] properties) {
        return Kind.NETTY.start(prefix, properties);
    }

    static TestServer startOn(String redis, String prefix, String... properties) {
        return startOn(redis, prefix, Kind.NETTY, List.of(Application.class), properties);
    }

    private static TestServer startOn(
            String redis, String prefix, Kind kind, List<Class<?>> sources, String... properties) {
        return startWithout("org.springframework.security", redis, prefix, kind, sources, properties);
    }

    private static TestServer startWithout(
            String absent, String redis, String prefix, Kind kind, List<Class<?>> sources, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--delayjob.redis.url=" + redis,
                "--delayjob.key-prefix=" + prefix,
                "--delayjob.server.admin-token=" + ADMIN));
        Stream.of(properties).map(property -> "--" + property).forEach(arguments::add);
        return new TestServer(new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .resourceLoader(new DefaultResourceLoader(WITHOUT.computeIfAbsent(absent, FilteredClassLoader::new)))
                .web(kind.type)
                .properties(
                        "delayjob.journal.mode=off",
                        // Nobody extends the leases of claimed jobs, and a machine may stand still.
                        "delayjob.lease=1m",
                        "delayjob.server.protocols.delay-queue.enabled=true",
                        "delayjob.server.protocols.mykit.enabled=true")
                .run(arguments.toArray(String[]::new)));
    }

    <T> T bean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** A bean of the routes, which in an application on a servlet container are in a context of their own. */
    <T> T beanOfRoutes(String name, Class<T> type) {
        ApplicationContext routes = context.containsBean("delayJobServletApi")
                ? (ApplicationContext) Objects.requireNonNull(
                        ReflectionTestUtils.getField(context.getBean("delayJobServletApi"), "routes"))
                : context;
        return routes.getBean(name, type);
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    Api api() {
        return api(ADMIN);
    }

    Api api(String token) {
        return new Api("http://127.0.0.1:" + port(), token);
    }

    @Override
    public void close() {
        context.close();
    }
}

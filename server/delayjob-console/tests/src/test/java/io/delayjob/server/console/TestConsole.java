package io.delayjob.server.console;

import static org.awaitility.Awaitility.await;

import io.delayjob.testing.KeptConnections;
import io.delayjob.testing.RedisServer;
import io.delayjob.testing.Variants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.http.client.ReactorResourceFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An application that serves the console, with keys of its own on the shared Redis. It has Spring Security only if a test asks for it. */
final class TestConsole implements AutoCloseable {

    /** The web stack of the application. */
    enum Kind {
        /** WebFlux, as the server is. */
        NETTY(WebApplicationType.REACTIVE, OnNetty.class),
        /** Spring MVC. */
        TOMCAT(WebApplicationType.SERVLET, OnTomcat.class);

        private final WebApplicationType type;
        private final Class<?> application;

        Kind(WebApplicationType type, Class<?> application) {
            this.type = type;
            this.application = application;
        }
    }

    static final String ADMIN = "the-first-token";
    private static final HttpClient HTTP =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).build();
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final List<String> WITHOUT_SECURITY = List.of("org.springframework.security");

    /** Class loaders without packages, one each: Spring keeps by class loader what it has read from the class path. */
    private static final Map<List<String>, ClassLoader> WITHOUT = new ConcurrentHashMap<>();

    private final ConfigurableApplicationContext context;

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class OnNetty {

        @Bean
        NettyReactiveWebServerFactory netty(ReactorResourceFactory resources) {
            NettyReactiveWebServerFactory netty = new NettyReactiveWebServerFactory();
            netty.setResourceFactory(resources);
            return netty;
        }

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

    /** The applications of the tests that are the same in each. */
    static Stream<Kind> kinds() {
        return Variants.of(Kind.NETTY, List.of(Kind.TOMCAT));
    }

    private TestConsole(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static TestConsole start(Kind kind, String... properties) {
        return startOn(RedisServer.shared().url(), kind, properties);
    }

    static TestConsole startOn(String redis, Kind kind, String... properties) {
        return start(WITHOUT_SECURITY, redis, kind, List.of(), properties);
    }

    /** An application that has more beans. */
    static TestConsole startWith(Class<?> bean, Kind kind, String... properties) {
        return start(WITHOUT_SECURITY, RedisServer.shared().url(), kind, List.of(bean), properties);
    }

    /** An application with Spring Security, as a configuration sets it up. */
    static TestConsole startSecured(Class<?> configuration, Kind kind, String... properties) {
        return start(List.of(), RedisServer.shared().url(), kind, List.of(configuration), properties);
    }

    private static TestConsole start(
            List<String> absent, String redis, Kind kind, List<Class<?>> beans, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--delayjob.redis.url=" + redis,
                "--delayjob.server.admin-token=" + ADMIN));
        Stream.of(
                        "server.port=0",
                        "delayjob.server.enabled=true",
                        "delayjob.journal.mode=off",
                        "delayjob.key-prefix=console-" + UUID.randomUUID())
                .filter(one -> Stream.of(properties)
                        .noneMatch(property -> property.startsWith(one.substring(0, one.indexOf('=') + 1))))
                .forEach(one -> arguments.add("--" + one));
        Stream.of(properties).map(property -> "--" + property).forEach(arguments::add);
        return new TestConsole(new SpringApplicationBuilder(kind.application)
                .sources(beans.toArray(Class<?>[]::new))
                .resourceLoader(new DefaultResourceLoader(WITHOUT.computeIfAbsent(
                        absent, packages -> new FilteredClassLoader(packages.toArray(String[]::new)))))
                .web(kind.type)
                .run(arguments.toArray(String[]::new)));
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    String url() {
        return "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
    }

    /** Calls the API, and expects it to do so. */
    JsonNode api(String token, String path, String body) {
        HttpResponse<String> answer = send(HttpRequest.newBuilder(URI.create(url() + "/api/v1" + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
        if (answer.statusCode() >= 300) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return JSON.readTree(answer.body());
    }

    /** Submits jobs of a topic that are due, claims and buries them. */
    void bury(String queue, String topic, String error, int count) {
        StringBuilder jobs = new StringBuilder();
        for (int i = 0; i < count; i++) {
            jobs.append(i == 0 ? "" : ",")
                    .append(
                            "{\"id\":\"%s-%s-%d\",\"topic\":\"%s\",\"param\":{\"order\":{\"id\":%d}},\"delay\":\"PT0S\"}"
                                    .formatted(queue, topic, i, topic, i));
        }
        api(ADMIN, "/queues/" + queue + "/jobs/batch", "{\"jobs\":[" + jobs + "]}");
        int buried = 0;
        while (buried < count) {
            List<String> settlements = new ArrayList<>();
            for (JsonNode job : api(ADMIN, "/queues/" + queue + "/claims", "{\"max\":500,\"wait\":\"PT60S\"}")
                    .path("jobs")) {
                settlements.add(JSON.writeValueAsString(
                        Map.of("handle", job.path("handle").asString(""), "action", "bury", "error", error)));
            }
            api(ADMIN, "/settlements", "{\"settlements\":[" + String.join(",", settlements) + "]}");
            buried += settlements.size();
        }
    }

    /** Submits a job that is due, and claims it; answers its handle. */
    String claim(String queue) {
        api(ADMIN, "/queues/" + queue + "/jobs", "{\"topic\":\"t\",\"delay\":\"PT0S\"}");
        return api(ADMIN, "/queues/" + queue + "/claims", "{\"max\":1,\"wait\":\"PT60S\"}")
                .path("jobs")
                .path(0)
                .path("handle")
                .asString("");
    }

    /** Settles an attempt. */
    void settle(String handle, String action) {
        api(
                ADMIN,
                "/settlements",
                "{\"settlements\":[%s]}"
                        .formatted(JSON.writeValueAsString(Map.of("handle", handle, "action", action))));
    }

    /** A token of some roles in some queues. */
    String token(String name, String roles, String queues) {
        return api(ADMIN, "/tokens", "{\"name\":\"%s\",\"roles\":[%s],\"queues\":[%s]}".formatted(name, roles, queues))
                .path("token")
                .asString("");
    }

    /** A browser that has signed in with a token. */
    Browser signedIn(String token) {
        Browser browser = new Browser(url(), "/console", "");
        HttpResponse<String> answer = browser.post("/login", "token", token, "to", "/");
        if (answer.statusCode() != 303) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return new Browser(url(), "/console", cookie(answer));
    }

    static String cookie(HttpResponse<String> answer) {
        return answer.headers().firstValue("Set-Cookie").orElse("").replaceAll(";.*", "");
    }

    /** An HTTP client that sends what a browser would, with the cookie of its sign-in if it has one. */
    record Browser(String url, String base, String cookie) {

        HttpResponse<String> get(String path) {
            return send(request(path));
        }

        /**
         * The page of a search that has come so far as to show some texts. Each answer looks for a twentieth of a second, in which a
         * busy machine may not come far.
         */
        String search(String query, String... texts) {
            return await().until(
                            () -> get("/search?q=" + query).body(),
                            page -> Stream.of(texts).allMatch(page::contains));
        }

        HttpResponse<String> post(String path, String... fields) {
            return send(form(path, fields).header("Sec-Fetch-Site", "same-origin"));
        }

        HttpRequest.Builder form(String path, String... fields) {
            StringBuilder body = new StringBuilder();
            for (int i = 0; i < fields.length; i += 2) {
                body.append(i == 0 ? "" : "&")
                        .append(fields[i])
                        .append('=')
                        .append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
            }
            return request(path)
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
        }

        private HttpRequest.Builder request(String path) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(url + base + path)).timeout(Duration.ofMinutes(2));
            return cookie.isEmpty() ? request : request.header("Cookie", cookie);
        }
    }

    static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return KeptConnections.send(HTTP, request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}

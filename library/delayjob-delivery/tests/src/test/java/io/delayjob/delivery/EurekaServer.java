package io.delayjob.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.netflix.eureka.server.EnableEurekaServer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** A real Eureka server in this JVM, and what instances of services say to it. */
public final class EurekaServer implements AutoCloseable {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableEurekaServer
    static class Eureka {}

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private ConfigurableApplicationContext context = run("0");

    private static ConfigurableApplicationContext run(String port) {
        return new SpringApplicationBuilder(Eureka.class)
                .run(
                        "--server.port=" + port,
                        "--server.address=127.0.0.1",
                        "--delayjob.enabled=false",
                        "--eureka.client.register-with-eureka=false",
                        "--eureka.client.fetch-registry=false",
                        "--eureka.server.response-cache-update-interval-ms=200");
    }

    private String port() {
        return context.getEnvironment().getRequiredProperty("local.server.port");
    }

    /** Where clients find it. */
    public String url() {
        return "http://127.0.0.1:%s/eureka/".formatted(port());
    }

    /** Ends it, and starts another one at the same port, which knows no instance. */
    void restart() {
        String port = port();
        context.close();
        context = run(port);
    }

    /** Registers an instance with the request that Eureka's clients send. */
    public void register(String service, int port, String types) {
        String body = """
                {"instance": {"instanceId": "i%d", "hostName": "127.0.0.1", "ipAddr": "127.0.0.1", "app": "%s", "vipAddress": "%s",
                 "status": "UP", "port": {"$": %d, "@enabled": "true"}, "securePort": {"$": 443, "@enabled": "false"},
                 "metadata": {"delay-queue:task": "%s"},
                 "dataCenterInfo": {"@class": "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo", "name": "MyOwn"}}}""".formatted(port, service.toUpperCase(Locale.ROOT), service, port, types);
        send(HttpRequest.newBuilder(URI.create(url() + "apps/" + service))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static void send(HttpRequest.Builder request) {
        try {
            assertThat(HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isBetween(200, 299);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}

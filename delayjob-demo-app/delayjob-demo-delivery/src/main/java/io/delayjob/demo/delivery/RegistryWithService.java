package io.delayjob.demo.delivery;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.netflix.eureka.server.EnableEurekaServer;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** The Eureka server, and a service that registers there. Not a component: it belongs to a context of its own. */
@EnableAutoConfiguration(
        excludeName = {
            "io.delayjob.embedded.autoconfigure.EmbeddedRedisAutoConfiguration",
            "io.delayjob.redisson.autoconfigure.DelayJobRedisAutoConfiguration",
            "org.springframework.boot.activemq.autoconfigure.ActiveMQAutoConfiguration",
            "org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration",
            "org.springframework.boot.freemarker.autoconfigure.FreeMarkerAutoConfiguration"
        })
@EnableEurekaServer
class RegistryWithService {

    @Bean
    RouterFunction<ServerResponse> service(DeliveryLog log) {
        return RouterFunctions.route()
                .POST(Registry.PATH, request -> take(request, log))
                .build();
    }

    private static ServerResponse take(ServerRequest request, DeliveryLog log) {
        String id = request.headers().firstHeader("delayjob-id");
        String attempt = request.headers().firstHeader("delayjob-attempt");
        if (id == null || attempt == null) {
            return ServerResponse.badRequest().build();
        }
        log.arrived(id, Arrival.now(Integer.parseInt(attempt), "none"));
        return ServerResponse.status(HttpStatus.NO_CONTENT).build();
    }
}

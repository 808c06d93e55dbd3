package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.server.TestServer.Kind;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.Variants;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Many requests on one connection, each sent as soon as the one before it is answered. */
@RealRedis
@Tag(Variants.TAG)
class OneConnectionIT {

    /** In front of all others: knows which threads end answers. */
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class Ends implements WebFilter {

        final Set<String> threads = ConcurrentHashMap.newKeySet();

        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            exchange.getResponse()
                    .beforeCommit(() -> Mono.fromRunnable(
                            () -> threads.add(Thread.currentThread().getName())));
            return chain.filter(exchange);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Ends.class)
    static class Beans {}

    static Stream<Kind> kinds() {
        return Variants.of(Kind.NETTY, List.of(Kind.NETTY, Kind.TOMCAT));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void allAreAnswered(Kind kind) {
        try (TestServer server = kind.start()) {
            Api api = server.api();
            for (int i = 0; i < Variants.tries(300, 3000); i++) {
                assertThat(api.get("/queues/connection").status()).isEqualTo(200);
            }
        }
    }

    /** Else Reactor Netty may leave the next request without an answer, see EventLoopAnswers. */
    @Test
    void anAnswerWithoutABodyEndsOnTheThreadOfItsConnection() {
        try (TestServer server = Kind.NETTY.startWith(Beans.class, "delayjob.delivery.http.open-networks=127.0.0.1")) {
            Api api = server.api();
            assertThat(api.send("PUT", "/targets/hook", "{\"target\": \"http://127.0.0.1:9/hook\"}")
                            .status())
                    .isEqualTo(200);
            Set<String> threads = server.bean(Ends.class).threads;
            threads.clear();

            assertThat(api.delete("/targets/hook").status()).isEqualTo(204);

            assertThat(threads).singleElement().asString().contains("-http-");
        }
    }
}

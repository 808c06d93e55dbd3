package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.Api.Answer;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.redisson.api.options.KeysScanOptions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** Claims with an id whose answer cannot be written. */
@RealRedis
class LostAnswersIT {

    private static final String CUT = "X-Cut";

    /** Its lease is longer than the test: no job may have to wait until it ends. */
    private static final String CLAIM = "{\"claimId\": \"c-1\", \"lease\": \"PT5M\"}";

    private TestServer server;
    private Api api;
    private Gate gate;

    /** Holds requests with a header, until it is opened; their answers then cannot be written. */
    @Order(0)
    static class Gate implements WebFilter {

        final CompletableFuture<Void> reached = new CompletableFuture<>();
        final CompletableFuture<Void> open = new CompletableFuture<>();

        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            if (exchange.getRequest().getHeaders().getFirst(CUT) == null) {
                return chain.filter(exchange);
            }
            reached.complete(null);
            return Mono.fromFuture(open).then(Mono.defer(() -> chain.filter(cut(exchange))));
        }

        private static ServerWebExchange cut(ServerWebExchange exchange) {
            return exchange.mutate()
                    .response(new ServerHttpResponseDecorator(exchange.getResponse()) {

                        @Override
                        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
                            return Mono.error(new IOException("Broken pipe"));
                        }
                    })
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Gate gate() {
            return new Gate();
        }
    }

    @BeforeEach
    void start() {
        server = TestServer.Kind.NETTY.startWith(Beans.class);
        api = server.api();
        gate = server.bean(Gate.class);
        api.post("/queues/q/jobs", "{\"id\": \"a\", \"topic\": \"t\", \"delay\": \"PT0S\"}");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void itsJobsAreGivenBackUnspentIfItIsNotRepeated() {
        gate.open.complete(null);
        var unused = cutClaim();

        JsonNode job = one(api.post("/queues/q/claims", "{\"wait\": \"PT60S\"}"));

        assertThat(job.path("attempt").asInt()).isEqualTo(1);
    }

    /** As at a server that stood still when its caller gave up. */
    @Test
    void aTryThatComesAfterItsRepeatTakesNothingFromIt() {
        var unused = cutClaim();
        gate.reached.join();
        JsonNode job = one(api.post("/queues/q/claims", CLAIM));

        gate.open.complete(null);
        await().atMost(Duration.ofMinutes(1)).until(this::isGivenBack);

        Answer settled = api.post(
                "/settlements",
                "{\"settlements\": [{\"handle\": \"%s\", \"action\": \"complete\"}]}"
                        .formatted(job.path("handle").asString()));
        assertThat(settled.json().path("results").get(0).path("applied").asBoolean())
                .as("%s", settled)
                .isTrue();
    }

    private CompletableFuture<Answer> cutClaim() {
        return api.withHeader(CUT, "yes").postAsync("/queues/q/claims", CLAIM);
    }

    private static JsonNode one(Answer claimed) {
        assertThat(claimed.json().path("jobs")).as("%s", claimed).hasSize(1);
        return claimed.json().path("jobs").get(0);
    }

    /** Whether the server has called the script, which keeps its answer. */
    private boolean isGivenBack() {
        DelayJobRedis redis = server.bean(DelayJobRedis.class);
        return redis.redisson()
                .getKeys()
                .getKeysStream(KeysScanOptions.defaults().pattern(redis.keyPrefix() + "*:release:*"))
                .findAny()
                .isPresent();
    }
}

package io.delayjob.server.autoconfigure;

import io.delayjob.DelayJobClaims;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.internal.access.AccessFilter;
import io.delayjob.server.internal.access.FirstToken;
import io.delayjob.server.internal.access.TokenStore;
import io.delayjob.server.internal.access.TokensController;
import io.delayjob.server.internal.claims.ClaimsController;
import io.delayjob.server.internal.claims.SettlementsController;
import io.delayjob.server.internal.claims.Undelivered;
import io.delayjob.server.internal.idempotency.IdempotencyFilter;
import io.delayjob.server.internal.idempotency.KeyStore;
import io.delayjob.server.internal.jobs.ActionsController;
import io.delayjob.server.internal.jobs.JobsController;
import io.delayjob.server.internal.queues.NodesController;
import io.delayjob.server.internal.queues.QueuesController;
import io.delayjob.server.internal.web.EventLoopAnswers;
import io.delayjob.server.internal.web.ProblemAdvice;
import io.delayjob.server.internal.web.ServerCodecs;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.http.codec.CodecCustomizer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Serves the HTTP API under {@code /api/v1} in a WebFlux application. Switched off by {@code delayjob.server.enabled=false}. */
@AutoConfiguration(after = DelayJobAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnProperty(name = "delayjob.server.enabled", matchIfMissing = true)
@ConditionalOnBean({DelayJobClaims.class, DelayJobRedis.class})
@EnableConfigurationProperties(DelayJobServerProperties.class)
@Import({
    JobsController.class,
    ActionsController.class,
    QueuesController.class,
    NodesController.class,
    ClaimsController.class,
    SettlementsController.class,
    TokensController.class,
    ProblemAdvice.class
})
public final class DelayJobServerAutoConfiguration {

    private DelayJobServerAutoConfiguration() {}

    @Bean
    static CodecCustomizer delayJobServerCodecs(DelayJobServerProperties properties) {
        return codecs -> ServerCodecs.register(codecs, properties.maxBodyBytes());
    }

    /** For applications whose server is Reactor Netty. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "reactor.netty.http.server.HttpServerRequest")
    static class ReactorNetty {

        @Bean
        EventLoopAnswers delayJobEventLoopAnswers() {
            return new EventLoopAnswers();
        }
    }

    @Bean
    static TokenStore delayJobTokens(DelayJobRedis redis) {
        return new TokenStore(redis.redisson(), redis.keyPrefix());
    }

    @Bean
    static ApplicationListener<ApplicationStartedEvent> delayJobFirstToken(
            TokenStore tokens, DelayJobServerProperties properties) {
        FirstToken first = new FirstToken(tokens, properties.adminToken());
        return started -> first.ensure().join();
    }

    @Bean
    static AccessFilter delayJobAccess(TokenStore tokens) {
        return new AccessFilter(tokens);
    }

    @Bean
    static IdempotencyFilter delayJobIdempotency(DelayJobRedis redis, DelayJobServerProperties properties) {
        return new IdempotencyFilter(new KeyStore(redis.redisson(), redis.keyPrefix()), properties.maxBodyBytes());
    }

    @Bean
    static Undelivered delayJobUndelivered(DelayJobClaims claims) {
        return new Undelivered(claims);
    }
}

package io.delayjob.server.autoconfigure;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.internal.access.AccessFilter;
import io.delayjob.server.internal.access.BeforeFirstToken;
import io.delayjob.server.internal.access.FirstToken;
import io.delayjob.server.internal.access.TokenStore;
import io.delayjob.server.internal.access.TokensController;
import io.delayjob.spring.autoconfigure.DelayJobProperties;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** For applications in which tokens say what a caller may do. */
@Configuration(proxyBeanMethods = false)
@Conditional(AuthenticationCondition.OnTokens.class)
@Import(TokensController.class)
class TokensConfiguration {

    @Bean
    TokenStore delayJobTokens(DelayJobRedis redis) {
        return new TokenStore(redis.redisson(), redis.keyPrefix());
    }

    /** It looks for any job, because that is what the engine asks without waiting for a connection. */
    @Bean
    FirstToken delayJobFirstToken(
            TokenStore tokens,
            DelayJobServerProperties properties,
            AsyncDelayJobAdmin admin,
            DelayJobProperties delayJob) {
        return new FirstToken(tokens, properties.adminToken(), () -> admin.find(delayJob.defaultQueue(), "any"));
    }

    @Bean
    ApplicationListener<ApplicationStartedEvent> delayJobFirstTokenAtStart(
            FirstToken first, DelayJobProperties delayJob) {
        return started -> {
            if (delayJob.failFast()) {
                first.make();
            } else {
                first.makeWhenRedisAnswers();
            }
        };
    }

    @Bean
    BeforeFirstToken delayJobBeforeFirstToken(FirstToken first) {
        return new BeforeFirstToken(first);
    }

    @Bean
    AccessFilter delayJobAccess(TokenStore tokens, DelayJobServerProperties properties) {
        return new AccessFilter(tokens, properties.limits().failedLoginsPerMinute(), properties.tokensAlone());
    }
}

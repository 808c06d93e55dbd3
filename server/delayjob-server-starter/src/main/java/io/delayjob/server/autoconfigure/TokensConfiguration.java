package io.delayjob.server.autoconfigure;

import io.delayjob.server.internal.access.AccessFilter;
import io.delayjob.server.internal.access.BeforeFirstToken;
import io.delayjob.server.internal.access.FirstToken;
import io.delayjob.server.internal.access.TokenStore;
import io.delayjob.server.internal.tokens.TokensController;
import io.delayjob.server.redis.ServerRedis;
import io.delayjob.server.tokens.Tokens;
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
@Import({Tokens.class, TokensController.class})
class TokensConfiguration {

    @Bean
    TokenStore delayJobTokens(ServerRedis redis) {
        return new TokenStore(redis);
    }

    @Bean
    FirstToken delayJobFirstToken(TokenStore tokens, DelayJobServerProperties properties) {
        return new FirstToken(tokens, properties.adminToken());
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
    AccessFilter delayJobAccess(TokenStore tokens, FirstToken first, DelayJobServerProperties properties) {
        return new AccessFilter(tokens, first, properties.limits().failedLoginsPerMinute(), properties.tokensAlone());
    }
}

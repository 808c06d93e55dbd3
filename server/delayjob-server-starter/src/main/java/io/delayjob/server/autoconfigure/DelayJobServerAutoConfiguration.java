package io.delayjob.server.autoconfigure;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobClaims;
import io.delayjob.delivery.DelayJobClients;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.redisson.events.EventStream;
import io.delayjob.server.internal.access.LateRefusals;
import io.delayjob.server.internal.access.LimitsFilter;
import io.delayjob.server.internal.claims.BoundedClaims;
import io.delayjob.server.internal.claims.ClaimsController;
import io.delayjob.server.internal.claims.SettlementsController;
import io.delayjob.server.internal.claims.Undelivered;
import io.delayjob.server.internal.events.EventsController;
import io.delayjob.server.internal.events.Hub;
import io.delayjob.server.internal.idempotency.IdempotencyFilter;
import io.delayjob.server.internal.idempotency.KeyStore;
import io.delayjob.server.internal.jobs.ActionsController;
import io.delayjob.server.internal.jobs.IndexController;
import io.delayjob.server.internal.jobs.JobsController;
import io.delayjob.server.internal.journal.JournalController;
import io.delayjob.server.internal.limits.Allowances;
import io.delayjob.server.internal.limits.BoundedQueues;
import io.delayjob.server.internal.limits.Makers;
import io.delayjob.server.internal.queues.LimitsController;
import io.delayjob.server.internal.queues.NodesController;
import io.delayjob.server.internal.queues.QueuesController;
import io.delayjob.server.internal.schedules.SchedulesController;
import io.delayjob.server.internal.servlet.HangUps;
import io.delayjob.server.internal.servlet.UnreadBodies;
import io.delayjob.server.internal.targets.ClientsController;
import io.delayjob.server.internal.targets.TargetsController;
import io.delayjob.server.internal.web.ApiFilter;
import io.delayjob.server.internal.web.CallersTrace;
import io.delayjob.server.internal.web.CountedBodies;
import io.delayjob.server.internal.web.EventLoopAnswers;
import io.delayjob.server.internal.web.ProblemAdvice;
import io.delayjob.server.internal.web.RequestDeadline;
import io.delayjob.server.internal.web.Router;
import io.delayjob.server.internal.web.ServerCodecs;
import io.delayjob.server.internal.web.TimelyBodies;
import io.delayjob.server.jobs.JobActions;
import io.delayjob.server.jobs.Jobs;
import io.delayjob.server.journal.Journals;
import io.delayjob.server.queues.QueueLimits;
import io.delayjob.server.queues.Queues;
import io.delayjob.server.redis.ServerRedis;
import io.delayjob.server.schedules.Schedules;
import io.delayjob.server.targets.Targets;
import io.delayjob.server.web.OwnPaths;
import io.delayjob.spring.InvalidConfigurationException;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.spring.autoconfigure.DelayJobProperties;
import java.time.Duration;
import java.util.Locale;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.http.codec.CodecCustomizer;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/**
 * Serves the HTTP API and the older protocols in a WebFlux application, each if its property says so, and has what the console needs. The API is
 * switched off by {@code delayjob.server.enabled=false}.
 */
@AutoConfiguration(
        after = DelayJobAutoConfiguration.class,
        afterName = {
            "io.delayjob.delivery.autoconfigure.DelayJobDeliveryAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.web.reactive.ReactiveOAuth2ResourceServerWebSecurityAutoConfiguration"
        })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@Conditional(Served.OnAnything.class)
@ConditionalOnBean({DelayJobClaims.class, DelayJobRedis.class, EventStream.class})
@EnableConfigurationProperties(DelayJobServerProperties.class)
@Import({
    Jobs.class,
    JobActions.class,
    Queues.class,
    QueueLimits.class,
    Journals.class,
    Schedules.class,
    IndexController.class,
    JobsController.class,
    ActionsController.class,
    QueuesController.class,
    LimitsController.class,
    NodesController.class,
    SchedulesController.class,
    ClaimsController.class,
    SettlementsController.class,
    EventsController.class,
    JournalController.class,
    ProblemAdvice.class,
    ProtocolsConfiguration.class,
    TokensConfiguration.class,
    SpringSecurityConfiguration.class
})
public final class DelayJobServerAutoConfiguration {

    private DelayJobServerAutoConfiguration() {}

    @Bean
    static CodecCustomizer delayJobServerCodecs(DelayJobServerProperties properties) {
        return codecs -> ServerCodecs.register(codecs, properties.maxBodyBytes());
    }

    /** For applications that serve the API. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(Served.OnApi.class)
    static class PublicApi {

        @Bean
        ApiFilter delayJobApi(DelayJobServerProperties properties) {
            return new ApiFilter(properties.path());
        }

        @Bean
        ApiRoutes delayJobApiRoutes(
                ApplicationContext context,
                @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping served,
                DelayJobServerProperties properties) {
            return new ApiRoutes(context, served, properties.path());
        }
    }

    @Bean
    static Router delayJobRouter(@Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping routes) {
        return new Router(routes);
    }

    @Bean
    static ReactiveRoutes delayJobRoutesOfApplication(
            ApplicationContext context, DelayJobServerProperties properties, ObjectProvider<HandlerMapping> mappings) {
        Served served = new Served(context.getEnvironment(), context.getClassLoader());
        return new ReactiveRoutes(new Collisions(served.paths(properties)), mappings);
    }

    @Bean
    static StartLog delayJobStartLog(ApplicationContext context, DelayJobServerProperties properties) {
        Served served = new Served(context.getEnvironment(), context.getClassLoader());
        return new StartLog(served, properties, context.getEnvironment());
    }

    /** The program has one of its own: everything that it serves is delayjob's. */
    @Bean
    @ConditionalOnMissingBean
    static OwnPaths delayJobOwnPaths(ApplicationContext context, DelayJobServerProperties properties) {
        Served served = new Served(context.getEnvironment(), context.getClassLoader());
        return new OwnPaths(served.paths(properties).keySet());
    }

    @Bean
    static TimelyBodies delayJobTimelyBodies(OwnPaths paths, DelayJobServerProperties properties) {
        return new TimelyBodies(paths, properties.bodyTimeout());
    }

    @Bean
    static CountedBodies delayJobCountedBodies(OwnPaths paths) {
        return new CountedBodies(paths);
    }

    /** For applications whose server is Reactor Netty. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "reactor.netty.http.server.HttpServerRequest",
                "org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory"
            })
    static class ReactorNetty {

        /** How long after the time of its body a connection is closed: long enough for the answer that says so. */
        private static final Duration GRACE = Duration.ofSeconds(5);

        /** A body is read after its answer up to so many times the largest one: else a client that sends all before it reads could lose the answer. */
        private static final long REST = 2;

        @Bean
        EventLoopAnswers delayJobEventLoopAnswers() {
            return new EventLoopAnswers();
        }

        @Bean
        WebServerFactoryCustomizer<NettyReactiveWebServerFactory> delayJobRequestDeadlines(
                DelayJobServerProperties properties) {
            Duration most = properties.bodyTimeout().plus(GRACE);
            long mostAfterAnswer = REST * properties.maxBodySize().toBytes();
            return factory -> factory.addServerCustomizers(server -> server.doOnChannelInit(
                    (observer, connection, address) -> RequestDeadline.watch(connection, most, mostAfterAnswer)));
        }

        @Bean
        HttpHandlerDecoratorFactory delayJobOnlyOwnDeadlines(OwnPaths paths) {
            return handler -> RequestDeadline.only(paths, handler);
        }
    }

    /** For applications that deliver jobs to targets. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.delayjob.delivery.DelayJobTargets")
    static class Delivery {

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnBean({DelayJobTargets.class, DelayJobClients.class})
        @Import({Targets.class, TargetsController.class, ClientsController.class})
        static class Routes {

            @Bean
            static Makers delayJobMakers(DelayJobServerProperties properties) {
                DelayJobServerProperties.Limits limits = properties.limits();
                return new Makers(limits.bindingsPerToken(), limits.clientsPerToken());
            }
        }
    }

    /** Refuses to start. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(AuthenticationCondition.OnSpringSecurityMissing.class)
    static class NoSpringSecurity {

        @Bean
        Object delayJobNoSpringSecurity(DelayJobServerProperties properties) {
            throw new InvalidConfigurationException(
                    "delayjob.server.authentication is %s, but no Spring Security is set up; see docs/server.md, or leave the property out"
                            .formatted(properties
                                    .authentication()
                                    .name()
                                    .toLowerCase(Locale.ROOT)
                                    .replace('_', '-')),
                    null);
        }
    }

    /** For applications whose server is a servlet container. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "jakarta.servlet.http.HttpServletRequest")
    static class Servlets {

        @Bean
        UnreadBodies delayJobUnreadBodies() {
            return new UnreadBodies();
        }
    }

    /** For applications whose server is Tomcat. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = {"jakarta.servlet.Servlet", "org.apache.catalina.connector.RequestFacade"})
    static class Tomcat {

        @Bean
        HangUps delayJobHangUps() {
            return new HangUps();
        }
    }

    @Bean
    @ConditionalOnMissingBean
    static CallersTrace delayJobCallersTrace(BeanFactory application) {
        return callersTrace(application);
    }

    /** Stores the caller's trace headers only where the application does not trace: else delayjob's own spans of submits are stored. */
    static CallersTrace callersTrace(BeanFactory application) {
        return new CallersTrace(!application.containsBean("delayJobLinkingTracingHandler"));
    }

    @Bean
    static Allowances delayJobAllowances(DelayJobServerProperties properties) {
        DelayJobServerProperties.Limits limits = properties.limits();
        return new Allowances(
                limits.defaults(), limits.burst(), limits.keptAnswersPerToken().toBytes());
    }

    @Bean
    static LateRefusals delayJobLateRefusals(Allowances allowances) {
        return new LateRefusals(allowances);
    }

    @Bean
    static LimitsFilter delayJobLimits(Allowances allowances) {
        return new LimitsFilter(allowances);
    }

    @Bean
    static BoundedQueues delayJobBoundedQueues(DelayJobServerProperties properties) {
        return new BoundedQueues(properties.limits().queuesPerToken());
    }

    @Bean
    static BoundedClaims delayJobBoundedClaims(
            DelayJobClaims claims, BoundedQueues named, DelayJobServerProperties properties) {
        return new BoundedClaims(claims, named, properties.limits().claims(), ProtocolQueues::isTopic);
    }

    /** It looks for any job, because that is what the engine asks without waiting for a connection. */
    @Bean
    static ServerRedis delayJobServerRedis(DelayJobRedis redis, AsyncDelayJobAdmin admin, DelayJobProperties delayJob) {
        return new ServerRedis(redis.redisson(), redis.keyPrefix(), () -> admin.find(delayJob.defaultQueue(), "any"));
    }

    @Bean
    static IdempotencyFilter delayJobIdempotency(
            ServerRedis redis, Allowances allowances, DelayJobServerProperties properties) {
        return new IdempotencyFilter(new KeyStore(redis), allowances, properties.maxBodyBytes());
    }

    @Bean
    static Hub delayJobEventHub(EventStream stream, DelayJobServerProperties properties) {
        return new Hub(
                stream,
                properties.events().maxSubscribers(),
                properties.limits().eventStreamsPerToken(),
                properties.events().kept());
    }

    @Bean
    static Undelivered delayJobUndelivered(DelayJobEngine engine) {
        return new Undelivered(engine::undelivered);
    }
}

package io.delayjob.server.autoconfigure;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobJournal;
import io.delayjob.DelayJobProducer;
import io.delayjob.server.internal.claims.BoundedClaims;
import io.delayjob.server.internal.limits.BoundedQueues;
import io.delayjob.server.internal.protocols.GlobalJobs;
import io.delayjob.server.internal.protocols.JobIndex;
import io.delayjob.server.internal.protocols.JsonObjects;
import io.delayjob.server.internal.protocols.OlderClientsFilter;
import io.delayjob.server.internal.protocols.Protocol;
import io.delayjob.server.internal.protocols.ProtocolFilter;
import io.delayjob.server.internal.protocols.TopicQueues;
import io.delayjob.server.internal.protocols.delayqueue.DelayQueueController;
import io.delayjob.server.internal.protocols.mykit.Consumed;
import io.delayjob.server.internal.protocols.mykit.MadeIds;
import io.delayjob.server.internal.protocols.mykit.MykitController;
import io.delayjob.server.internal.protocols.mykit.MykitJournal;
import io.delayjob.server.internal.protocols.mykit.Snowflakes;
import io.delayjob.server.internal.web.CallersTrace;
import io.delayjob.server.redis.ServerRedis;
import io.delayjob.server.web.FailureProblems;
import java.util.List;
import java.util.UUID;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Mono;

/** Serves the protocols of older delay queues, over the same services as the API. */
@Configuration(proxyBeanMethods = false)
@Import(ProtocolQueues.class)
class ProtocolsConfiguration {

    @Bean
    static ProtocolFilter delayJobProtocols(ObjectProvider<Protocol> protocols) {
        return new ProtocolFilter(protocols.orderedStream().toList());
    }

    @Bean
    static OlderClientsFilter delayJobOlderClients(DelayJobServerProperties properties) {
        DelayJobServerProperties.Protocols protocols = properties.protocols();
        return new OlderClientsFilter(
                protocols.queryToken(),
                protocols.trustedNetworks(),
                List.of(DelayQueueController.QUEUES + "*", MykitController.QUEUES + "*"));
    }

    /** The beans that both protocols use. */
    @Configuration(proxyBeanMethods = false)
    static class JobsOfProtocols {

        private final ServerRedis redis;
        private final DelayJobProducer producer;
        private final AsyncDelayJobAdmin admin;
        private final DelayJobClaims claims;
        private final BoundedClaims bounded;
        private final BoundedQueues named;
        private final DelayJobServerProperties properties;

        JobsOfProtocols(
                ServerRedis redis,
                DelayJobProducer producer,
                AsyncDelayJobAdmin admin,
                DelayJobClaims claims,
                BoundedClaims bounded,
                BoundedQueues named,
                DelayJobServerProperties properties) {
            this.redis = redis;
            this.producer = producer;
            this.admin = admin;
            this.claims = claims;
            this.bounded = bounded;
            this.named = named;
            this.properties = properties;
        }

        GlobalJobs of(String name, TopicQueues queues) {
            JobIndex index = new JobIndex(redis, name);
            return new GlobalJobs(queues, index, producer, admin, claims, bounded, named);
        }

        JsonObjects bodies() {
            return new JsonObjects(properties.maxBodyBytes());
        }
    }

    /** The HTTP delay queue. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "delayjob.server.protocols.delay-queue.enabled")
    static class DelayQueue {

        @Bean
        Protocol delayJobDelayQueueProtocol(DelayJobServerProperties properties) {
            return new Protocol(ProtocolRoutes.of(properties.protocols().delayQueue()), DelayQueueController::envelope);
        }

        @Bean
        DelayQueueController delayJobDelayQueue(JobsOfProtocols jobs, CallersTrace trace, FailureProblems problems) {
            return new DelayQueueController(
                    jobs.of("delay-queue", new TopicQueues(DelayQueueController.QUEUES)),
                    jobs.bodies(),
                    trace,
                    problems);
        }
    }

    /** The routes of mykit-delay. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "delayjob.server.protocols.mykit.enabled")
    static class Mykit {

        private static final TopicQueues QUEUES = new TopicQueues(MykitController.QUEUES);

        @Bean
        Protocol delayJobMykitProtocol(DelayJobServerProperties properties) {
            return new Protocol(ProtocolRoutes.of(properties.protocols().mykit()), MykitController::envelope);
        }

        @Bean
        MykitJournal delayJobMykitJournal(ObjectProvider<DelayJobJournal> journal) {
            return new MykitJournal(journal.getIfAvailable(), QUEUES);
        }

        @Bean
        Consumed delayJobMykitConsumed(DelayJobClaims claims) {
            return new Consumed(claims);
        }

        @Bean
        MadeIds delayJobMykitIds(ServerRedis redis, DelayJobServerProperties properties) {
            return switch (properties.protocols().mykit().ids()) {
                case UUID -> () -> Mono.fromSupplier(() -> UUID.randomUUID().toString());
                case SNOWFLAKE -> new Snowflakes(redis);
            };
        }

        @Bean
        MykitController delayJobMykit(
                JobsOfProtocols jobs, MykitJournal journal, MadeIds ids, CallersTrace trace, FailureProblems problems) {
            return new MykitController(jobs.of("mykit", QUEUES), journal, ids, jobs.bodies(), trace, problems);
        }
    }
}

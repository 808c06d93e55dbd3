package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.JobSnapshot;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.PropertyNamingStrategies;

/** Settings of Spring Boot that delayjob uses too: the JSON mapper, and the connection of a service. */
@RealRedis
class BootSettingsIT {

    private final String queue = TestApplication.queue();
    private final ApplicationContextRunner runner = TestApplication.runner(queue);

    /** A name of two words. */
    record Address(String streetName) {}

    /** Keeps addresses. */
    static class AddressJob extends KeepingJob<Address> {

        AddressJob(Inbox inbox) {
            super(inbox);
        }
    }

    @Test
    void writesAndReadsParamsAsTheApplicationsMapperIsCustomized() {
        runner.withBean(AddressJob.class)
                .withBean(
                        JsonMapperBuilderCustomizer.class,
                        () -> builder -> builder.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE))
                .run(context -> {
                    DelayJobProducer producer = context.getBean(DelayJobProducer.class);
                    String id = producer.submitDelayJob(AddressJob.class, new Address("Elm"), Duration.ofHours(1));
                    DelayJobAdmin admin = context.getBean(DelayJobAdmin.class);
                    assertThat(admin.find(queue, id).map(JobSnapshot::param)).contains("{\"street_name\":\"Elm\"}");
                    admin.runNow(queue, id);
                    context.getBean(Inbox.class).awaitExactly(new Address("Elm"));
                });
    }

    @Test
    void goesWhereAServiceConnectionSays() {
        URI shared = URI.create(RedisServer.shared().url());
        String user = shared.getUserInfo();
        runner.withBean(ParcelJob.class)
                .withPropertyValues("spring.data.redis.url=", "spring.data.redis.port=1")
                .withBean(DataRedisConnectionDetails.class, () -> new DataRedisConnectionDetails() {
                    @Override
                    public Standalone getStandalone() {
                        return Standalone.of(shared.getHost(), shared.getPort());
                    }

                    @Override
                    public @Nullable String getPassword() {
                        return user == null ? null : user.substring(user.indexOf(':') + 1);
                    }
                })
                .run(context -> {
                    context.getBean(DelayJobProducer.class)
                            .submitDelayJob(ParcelJob.class, new Parcel("there", 1), Duration.ZERO);
                    context.getBean(Inbox.class).awaitExactly(new Parcel("there", 1));
                });
    }
}

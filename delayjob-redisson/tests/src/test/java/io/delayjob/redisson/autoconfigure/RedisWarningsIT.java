package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.redisson.internal.redis.RedisBackend;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Warnings of a node about settings of Redis that may lose jobs, at its start and after a change, if its user may read them. */
@ExtendWith(OutputCaptureExtension.class)
class RedisWarningsIT {

    private static final String WARNING = "Redis keeps nothing on disk";

    /** An application with one job. */
    @Configuration(proxyBeanMethods = false)
    @Import(ParcelJob.class)
    static class App {}

    private static ConfigurableApplicationContext start(OwnRedis redis) {
        return TestApplication.start(App.class, new String[] {"spring.data.redis.url=" + redis.url()});
    }

    private static boolean keepsNothing(ConfigurableApplicationContext app) {
        return ((RedisBackend) app.getBean(Backend.class)).keepsNothing("any").join();
    }

    @Test
    void warnsOfARedisThatKeepsNothing(CapturedOutput output) {
        try (OwnRedis redis = OwnRedis.start("--save", "", "--appendonly", "no");
                ConfigurableApplicationContext app = start(redis)) {
            await().until(() -> output.getAll().contains(WARNING));
            assertThat(keepsNothing(app)).isTrue();
            assertThat(output.getAll().split(WARNING, -1)).hasSize(2);
        }
    }

    @Tag("proof")
    @Test
    void warnsOfARedisThatMayEvictJobs(CapturedOutput output) {
        try (OwnRedis redis = OwnRedis.start("--maxmemory-policy", "allkeys-lru");
                ConfigurableApplicationContext app = start(redis)) {
            await().until(() -> output.getAll().contains("its maxmemory-policy is allkeys-lru; set it to noeviction"));
            assertThat(app.isActive()).isTrue();
        }
    }

    @Test
    void warnsOfAPolicyThatIsChangedWhileItRuns(CapturedOutput output) throws IOException {
        String warning = "its maxmemory-policy is volatile-lru";
        try (OwnRedis redis = OwnRedis.start();
                ConfigurableApplicationContext app = start(redis)) {
            RedisWarnings warnings = new RedisWarnings(app.getBean(Backend.class), "any", Duration.ofMillis(50));
            warnings.ask();
            RedisCall.call(redis.url(), "CONFIG", "SET", "maxmemory-policy", "volatile-lru");
            await().until(() -> output.getAll().contains(warning));
            RedisCall.call(redis.url(), "CONFIG", "SET", "maxmemory-policy", "noeviction");
            RedisCall.call(redis.url(), "CONFIG", "SET", "maxmemory-policy", "allkeys-random");
            await().until(() -> output.getAll().contains("allkeys-random"));
            warnings.destroy();
        }
    }

    @Test
    void doesNotWarnOfALogNorOfSnapshots(CapturedOutput output) {
        try (OwnRedis redis = OwnRedis.start("--save", "", "--appendonly", "yes");
                ConfigurableApplicationContext app = start(redis)) {
            assertThat(keepsNothing(app)).isFalse();
        }
        try (OwnRedis redis = OwnRedis.start("--save", "3600", "1", "--appendonly", "no");
                ConfigurableApplicationContext app = start(redis)) {
            assertThat(keepsNothing(app)).isFalse();
        }
        assertThat(output).doesNotContain(WARNING).doesNotContain("may evict");
    }

    @Test
    void doesNotWarnWhereItMayNotAsk(CapturedOutput output) throws IOException {
        try (OwnRedis redis = OwnRedis.start("--save", "", "--appendonly", "no")) {
            RedisCall.call(redis.url(), "ACL", "SETUSER", "ann", "on", ">secret", "~*", "&*", "+@all", "-config");
            try (ConfigurableApplicationContext app = TestApplication.start(
                    App.class, new String[] {"spring.data.redis.url=redis://ann:secret@127.0.0.1:" + redis.port()})) {
                assertThat(((RedisBackend) app.getBean(Backend.class)).keepsNothing("any"))
                        .failsWithin(Duration.ofMinutes(2));
                assertThat(output).doesNotContain(WARNING);
            }
        }
    }
}

package io.delayjob.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.embedded.RedisCall;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OwnRedisIT {
    @Test
    void aKilledServerComesBackOnItsPortWithItsData() throws IOException {
        try (OwnRedis redis = OwnRedis.start("--appendonly", "yes", "--appendfsync", "always")) {
            String url = redis.url();
            long pid = redis.pid();
            RedisCall.call(url, "SET", "key", "kept");
            redis.kill();
            assertThatThrownBy(() -> RedisCall.call(url, "PING")).isInstanceOf(ConnectException.class);
            redis.restart();
            assertThat(redis.pid()).isNotEqualTo(pid);
            assertThat(RedisCall.call(url, "GET", "key")).isEqualTo("kept");
        }
    }

    @Test
    void aRestartWithoutPersistenceForgets() throws IOException {
        try (OwnRedis redis = OwnRedis.start()) {
            RedisCall.call(redis.url(), "SET", "key", "lost");
            redis.restart();
            assertThat(RedisCall.call(redis.url(), "EXISTS", "key")).isEqualTo("0");
        }
    }

    @Test
    void aPausedServerIsSilentUntilResumed() throws IOException {
        try (OwnRedis redis = OwnRedis.start()) {
            redis.pause();
            assertThatThrownBy(() -> RedisCall.call(Duration.ofSeconds(2), redis.url(), "PING"))
                    .isInstanceOf(SocketTimeoutException.class);
            redis.resume();
            assertThat(RedisCall.call(redis.url(), "PING")).isEqualTo("PONG");
        }
    }

    @Test
    void closeEndsAlsoAPausedServerAndDeletesItsFolder() {
        OwnRedis redis = OwnRedis.start();
        Path folder = redis.folder();
        redis.pause();
        redis.close();
        assertThat(ProcessHandle.of(redis.pid()).filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(folder).doesNotExist();
    }
}

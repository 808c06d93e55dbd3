package io.delayjob.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.embedded.RedisCall;
import java.io.IOException;
import org.junit.jupiter.api.Test;

@RealRedis
class RealRedisIT {
    @Test
    void everyTestReceivesTheSameServer(RedisServer server) throws IOException {
        assertThat(server).isSameAs(RedisServer.shared());
        assertThat(RedisCall.call(server.url(), "PING")).isEqualTo("PONG");
        assertThat(RedisCall.version(server.url())).isEqualTo(server.version());
    }

    @Test
    void aConfiguredServerThatDoesNotAnswerFailsWithoutItsPassword() {
        assertThatThrownBy(() -> SharedServer.answering("redis://user:secret@127.0.0.1:1", SharedServer.ADDRESS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("DELAYJOB_TEST_REDIS does not answer")
                .hasMessageNotContaining("secret");
    }

    @Test
    void aServerWithUserAndPasswordIsReached() {
        try (OwnRedis redis = OwnRedis.start("--requirepass", "a:b c")) {
            String authority = "@127.0.0.1:" + redis.port();
            assertThat(SharedServer.answering("redis://:a:b%20c" + authority, "test")
                            .version())
                    .contains(".");
            assertThat(SharedServer.answering("redis://default:a:b%20c" + authority + "/2", "test")
                            .version())
                    .contains(".");
            assertThatThrownBy(() -> SharedServer.answering(redis.url(), "test"))
                    .hasMessageContaining("NOAUTH");
        }
    }
}

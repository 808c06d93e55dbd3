package io.delayjob.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedisServerTest {
    @Test
    void readsHostAndPortFromItsAddress() {
        RedisServer server = new RedisServer("redis://user:secret@redis.example:7000/3", "Redis 7.0.15", "test");
        assertThat(server.host()).isEqualTo("redis.example");
        assertThat(server.port()).isEqualTo(7000);
        assertThat(new RedisServer("redis://localhost", "", "").port()).isEqualTo(6379);
    }

    @Test
    void neverPrintsItsPassword() {
        RedisServer server = new RedisServer("redis://user:secret@redis.example:7000/3", "Redis 7.0.15", "test");
        assertThat(server).hasToString("Redis 7.0.15 at redis.example:7000 (test)");
    }
}

package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.client.RedisClusterDownException;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisNoReplicasException;
import org.redisson.client.RedisResponseTimeoutException;
import org.redisson.client.RedisTryAgainException;

/** Kinds of failures, and their messages. */
class RedisFailuresTest {

    private static final String SERVERS = "Redis at redis.example.com:6379";

    static Stream<Arguments> refusals() {
        return Stream.of(
                arguments(
                        "NOPERM User ann has no permissions to run the 'eval' command. channel: [id: 0x1]",
                        "NOPERM this user has no permissions to run the 'eval' command"),
                arguments(
                        "ERR The user executing the script can't run this command script: a9, on @user_script:1.",
                        "NOPERM The user executing the script can't run this command"),
                arguments(
                        "ERR Error running script (call to f_a9): @user_script:1: @user_script: 1: The user executing the script can't run this command",
                        "NOPERM The user executing the script can't run this command"),
                arguments(
                        "ERR ACL failure in script: User ann has no permissions to run the 'set' command script: a9, on @user_script:1.",
                        "NOPERM this user has no permissions to run the 'set' command"),
                arguments(
                        "ERR user_script:12: WRONGTYPE a:{q:0}:dead is a set and should be a zset script: a9, on @user_script:12.",
                        "WRONGTYPE a:{q:0}:dead is a set and should be a zset"),
                arguments(
                        "ERR Error running script (call to f_a9): @user_script:12: user_script:12: WRONGTYPE a:{q:0}:dead is a set and should be a zset",
                        "WRONGTYPE a:{q:0}:dead is a set and should be a zset"),
                arguments(
                        "WRONGTYPE Operation against a key script: a9, on @user_script:9.",
                        "WRONGTYPE Operation against a key"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusalIsToldInTheWordsOfRedisWithoutPlaceAndUser(String server, String words) {
        LedgerException explained = RedisFailures.explain("claim", new RedisException(server), SERVERS);
        assertThat(explained.kind()).isEqualTo(Kind.REFUSED);
        assertThat(explained).hasMessage("Redis refused: " + words + " (claim)");
    }

    @Test
    void theCauseIsWhatTheClientThrewWithoutWhatItSent() {
        RedisResponseTimeoutException failure = new RedisResponseTimeoutException(
                "Redis server response timeout (3000 ms) occured after 0 retry attempts. Command: (EVALSHA), params: [a9, 1, {\"card\":\"4111\"}]");
        LedgerException explained = RedisFailures.explain("submit", failure, SERVERS);
        assertThat(explained.kind()).isEqualTo(Kind.UNKNOWN);
        assertThat(explained)
                .cause()
                .hasMessageContaining("RedisResponseTimeoutException: Redis server response timeout (3000 ms)")
                .hasMessageNotContaining("4111");
        assertThat(explained).cause().extracting(Throwable::getStackTrace).isEqualTo(failure.getStackTrace());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MOVED redirection loop detected. Node redis://127.0.0.1:1 has further redirect to redis://127.0.0.1:1",
                "ERR Error running script (call to f_1): @user_script:1: -READONLY You can't write against a replica",
                "ERR Error running script (call to f_1): @user_script:1: -NOREPLICAS Not enough good replicas to write.",
                "NOREPLICAS Not enough good replicas to write. script: f_1, on @user_script:1. channel: x",
            })
    void whatPassesByItselfHasNotRunAndMayBeRepeated(String text) {
        assertThat(kind(new RedisException(text))).isEqualTo(Kind.NOT_RUN);
    }

    @Test
    void aClusterThatIsNotReadyHasNotRunTheCall() {
        assertThat(kind(new RedisClusterDownException("CLUSTERDOWN The cluster is down. channel: x")))
                .isEqualTo(Kind.NOT_RUN);
        assertThat(kind(new RedisTryAgainException("TRYAGAIN Multiple keys request during rehashing of slot")))
                .isEqualTo(Kind.NOT_RUN);
        assertThat(kind(new RedisNoReplicasException("NOREPLICAS Not enough good replicas to write.")))
                .isEqualTo(Kind.NOT_RUN);
    }

    @Test
    void whatSomebodyHasToMendIsRefused() {
        assertThat(kind(new RedisException("WRONGTYPE Operation. channel: x command: (EVAL), params: [MOVED]")))
                .isEqualTo(Kind.REFUSED);
        assertThat(kind(new RedisException("WRONGTYPE Operation against a key holding the wrong kind of value")))
                .isEqualTo(Kind.REFUSED);
        assertThat(kind(new RedisException("CROSSSLOT Keys in request don't hash to the same slot")))
                .isEqualTo(Kind.REFUSED);
    }

    @Test
    void whatWasNotAnsweredIsUnknown() {
        assertThat(kind(new RedisResponseTimeoutException("Redis server response timeout")))
                .isEqualTo(Kind.UNKNOWN);
    }

    private static Kind kind(Throwable failure) {
        LedgerException explained = RedisFailures.explain("claim", new CompletionException(failure), SERVERS);
        return explained.kind();
    }

    @Test
    void saysWhereRedisWasLookedForIfItCannotBeReached() {
        Throwable unknown = new RedisConnectionException("no", new UnknownHostException("redis.example.com"));
        assertThat(RedisFailures.explain("claim", unknown, SERVERS))
                .hasMessage("Redis at redis.example.com:6379 cannot be reached (claim)");
        assertThat(RedisFailures.explain("claim", new RedisResponseTimeoutException("late"), SERVERS))
                .hasMessage("Redis did not answer in time (claim)");
    }
}

package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.redisson.internal.ledger.Backend.Cancellation;
import io.delayjob.redisson.internal.ledger.Lease;
import io.delayjob.redisson.internal.ledger.ShardId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CancelledTopicTest {

    @Test
    void readsShardTokenAndAnIdThatMayHoldSpaces() {
        assertThat(CancelledTopic.parse("or.ders-1:2 7:ab an id: with 3 spaces"))
                .contains(new Cancellation(new ShardId("or.ders-1", 2), new Lease("an id: with 3 spaces", "7:ab")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "  ",
                "x",
                "a:0",
                "a:0 1:r",
                "a:0 1:r ",
                "a 1:r id",
                ":0 1:r id",
                "a: 1:r id",
                "a:b 1:r id",
                "a:99999999999 1:r id"
            })
    void passesOverWhatIsNoMessage(String message) {
        assertThat(CancelledTopic.parse(message)).isEmpty();
    }
}

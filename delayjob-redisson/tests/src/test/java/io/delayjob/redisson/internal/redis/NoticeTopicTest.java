package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.ledger.Backend.Cancellation;
import io.delayjob.engine.ledger.Backend.PassedOn;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.ShardId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoticeTopicTest {

    @Test
    void readsShardTokenAndAnIdThatMayHoldSpaces() {
        assertThat(NoticeTopic.parse("or.ders-1:2 7:ab an id: with 3 spaces"))
                .contains(new Cancellation(new ShardId("or.ders-1", 2), new Lease("an id: with 3 spaces", "7:ab")));
    }

    @Test
    void readsShardAndNamesThatMayHoldSpacesAndColons() {
        assertThat(NoticeTopic.parse("q:0\na name: of 5 words\nb"))
                .contains(new PassedOn(new ShardId("q", 0), List.of("a name: of 5 words", "b")));
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
                "a:99999999999 1:r id",
                "\n",
                "a\nname",
                "a:b\nname",
                ":0\nname"
            })
    void passesOverWhatIsNoMessage(String message) {
        assertThat(NoticeTopic.parse(message)).isEmpty();
    }
}

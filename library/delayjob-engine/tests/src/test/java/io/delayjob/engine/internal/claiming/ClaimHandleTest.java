package io.delayjob.engine.internal.claiming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.engine.ClaimHandles;
import io.delayjob.engine.internal.running.RemoteAttempt;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.ShardId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimHandleTest {

    private static final ClaimHandle HANDLE = new ClaimHandle(
            new ShardId("orders", 3), new Lease("order | 42 / é", "17:x1y2"), 2, "close-order", 1_766_000_000_000L);

    @Test
    void isReadAsItWasWrittenAndFitsIntoAUrl() {
        assertThat(HANDLE.text()).matches("[A-Za-z0-9_-]+");
        assertThat(ClaimHandle.parse(HANDLE.text())).isEqualTo(HANDLE);
    }

    @Test
    void namesItsQueueToThoseWhoServeWorkers() {
        assertThat(ClaimHandles.queueOf(HANDLE.text())).isEqualTo("orders");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClaimHandles.queueOf("made-up"))
                .withMessageContaining("not a handle of a claimed job: 'made-up'");
    }

    @Test
    void saysHowLongAgoTheJobWasHandedOutUnlessTheClocksDisagree() {
        assertThat(HANDLE.remote().elapsed()).isGreaterThan(Duration.ofDays(1));
        ClaimHandle early = new ClaimHandle(HANDLE.shard(), HANDLE.lease(), 2, "close-order", Long.MAX_VALUE);
        assertThat(early.remote()).isEqualTo(new RemoteAttempt(HANDLE.lease(), 2, "close-order", Duration.ZERO));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "made-up",
                "%%%",
                "1\norders\n3\n2\n5\nclose\n17:x",
                "2\norders\n3\n2\n5\nclose\n17:x\nid",
                "1\nor{ders\n3\n2\n5\nclose\n17:x\nid",
                "1\norders\n-3\n2\n5\nclose\n17:x\nid",
                "1\norders\n4294967295\n2\n5\nclose\n17:x\nid",
                "1\norders\n3\ntwo\n5\nclose\n17:x\nid",
                "1\norders\n3\n2\n-5\nclose\n17:x\nid",
                "1\norders\n3\n2\n5\nclose\n17:x\n",
                "1\norders\n3\n2\n5\n\n17:x\nid",
                "1\norders\n3\n2\n5\nclose\n\nid"
            })
    void whatIsNoHandleIsRefusedAndNamed(String parts) {
        String text = parts.contains("\n")
                ? Base64.getUrlEncoder().withoutPadding().encodeToString(parts.getBytes(StandardCharsets.UTF_8))
                : parts;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClaimHandle.parse(text))
                .withMessageContaining("not a handle of a claimed job: '" + text + "'");
    }
}

package io.delayjob.redisson.internal.redis;

import static io.delayjob.redisson.internal.redis.TestShard.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.testing.RealRedis;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers to feeds after the data of a shard was removed, or replaced by something else. */
@RealRedis
class PulseIT {

    /** When the data begins, and the feed that knows it is answered. */
    private static final Feed.Pulse KNOWN = new Feed.Pulse(START, START + 60_000);

    private final TestShard shard = new TestShard();
    private final RawRedis raw = new RawRedis(shard.redisson());
    private long number;

    @AfterEach
    void close() {
        shard.close();
    }

    private long born(String node, long sinceStart, Feed.Pulse known) {
        shard.setClock(START + sinceStart);
        return shard.ledger
                .feed(new Feed.Request(new Feed.Presence(node, 5000, 1, 1, null), TestSettings.TERMS, 0, known))
                .join()
                .pulse()
                .bornMillis();
    }

    private void knownData() {
        born("n", 0, Feed.Pulse.NONE);
        born("n", 60_000, Feed.Pulse.NONE);
    }

    private void fed(long sinceStart) {
        raw.call("SET", shard.keys.of(Key.PULSE), "fed=" + (START + sinceStart) + "|back=0|born=" + START);
    }

    @Test
    void dataThatWasRemovedIsKnownByAnotherMsOnEveryNode() {
        knownData();
        TestShard.NAMES.forEach(name -> raw.call("DEL", shard.key(name)));
        assertThat(born("n", 61_000, KNOWN)).isEqualTo(START + 61_000);
        assertThat(born("m", 61_500, KNOWN)).isEqualTo(START + 61_000);
        assertThat(born("n", 62_000, new Feed.Pulse(START + 61_000, START + 61_000)))
                .isEqualTo(START + 61_000);
    }

    @Test
    void anOlderCopyIsKnownByAnotherMsOnEveryNode() {
        knownData();
        fed(40_000);
        assertThat(born("n", 61_000, KNOWN)).isEqualTo(START + 61_000);
        assertThat(born("m", 61_500, KNOWN)).isEqualTo(START + 61_000);
    }

    @Test
    void whatAFailoverMayLoseMakesNoOtherData() {
        knownData();
        fed(50_000);
        assertThat(born("n", 70_000, KNOWN)).isEqualTo(START);
    }

    /** By a failover or a crash; by the node's own entry, so that no clock and no other node matters. */
    @Test
    void whatWasWrittenLastAndLostIsNoticedByEachNodeThatWroteIt() {
        assertThat(lost("n", 0, 0)).isZero();
        assertThat(lost("m", 0, 0)).isZero();
        assertThat(lost("n", 1000, START + 5000)).isZero();
        assertThat(lost("m", 1000, START + 5000)).isZero();
        List.of("n", "m").forEach(node -> raw.call("ZADD", shard.keys.of(Key.NODES), "" + (START + 5000), node));
        assertThat(lost("n", 1500, START + 6000)).isEqualTo(1000);
        assertThat(lost("m", 1500, START + 6000)).isEqualTo(1000);
        assertThat(lost("n", 2000, START + 6500)).isZero();
        raw.call("ZREM", shard.keys.of(Key.NODES), "m");
        assertThat(lost("m", 60_000, START + 6500)).isZero();
    }

    private long lost(String node, long sinceStart, long registered) {
        shard.setClock(START + sinceStart);
        return shard.ledger
                .feed(new Feed.Request(
                        new Feed.Presence(node, 5000, 1, 1, null), TestSettings.TERMS, 0, Feed.Pulse.NONE, registered))
                .join()
                .lostMillis();
    }

    @Test
    void aPulseThatWasRemovedAloneIsPutBack() {
        knownData();
        raw.call("DEL", shard.keys.of(Key.PULSE));
        assertThat(born("n", 61_000, KNOWN)).isEqualTo(START);
        assertThat(born("m", 62_000, Feed.Pulse.NONE)).isEqualTo(START);
    }

    @Test
    void aRegistryThatWasRemovedAloneMakesNoOtherData() {
        knownData();
        raw.call("DEL", shard.keys.of(Key.NODES));
        assertThat(born("n", 61_000, KNOWN)).isEqualTo(START);
    }

    @Test
    void aNodeThatSleptKnowsItsDataAgain() {
        knownData();
        assertThat(born("m", 100_000, Feed.Pulse.NONE)).isEqualTo(START);
        assertThat(born("n", 1_000_000, KNOWN)).isEqualTo(START);
    }

    @Test
    void aClockThatIsSetBackMakesNoOtherData() {
        knownData();
        born("n", 20_000, KNOWN);
        assertThat(born("m", 21_000, KNOWN)).isEqualTo(START);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                "1|2|3",
                "fed=1|back=2",
                "fed=1|back=2|born=3x",
                "fed=-1|back=0|born=1",
                "fed=1.5|back=0|born=1",
                "fed=1|back=0|born=99999999999999999"
            })
    void garbageIsNoPulseAndIsWrittenOver(String garbage) {
        raw.call("SET", shard.keys.of(Key.PULSE), garbage);
        leavesClaimsAlone();
    }

    @Test
    void aPulseOfAnotherTypeIsNoneAndIsWrittenOver() {
        raw.call("HSET", shard.keys.of(Key.PULSE), "a", "b");
        leavesClaimsAlone();
    }

    private void leavesClaimsAlone() {
        shard.ledger
                .submit(
                        call(),
                        List.of(new NewJob(
                                "a", new NewJob.Due(0, true), new JobContent("\"job\":\"j\"}", 1000L, null))))
                .join();
        assertThat(claim().jobs()).hasSize(1);
        shard.setClock(START + 60_000);
        assertThat(claim().jobs()).hasSize(1);
        assertThat(born("n", 60_000, Feed.Pulse.NONE)).isEqualTo(START + 60_000);
        assertThat(shard.state())
                .containsEntry("pulse", "fed=" + (START + 60_000) + "|back=0|born=" + (START + 60_000));
    }

    private Call call() {
        return new Call("lane", ++number);
    }

    private Claimed claim() {
        return shard.ledger
                .claim(call(), new ClaimRequest("n", 9, 30_000, "r" + number))
                .join();
    }
}

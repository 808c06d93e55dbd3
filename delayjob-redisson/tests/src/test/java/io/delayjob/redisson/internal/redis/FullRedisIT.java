package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.ActionResult;
import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerFixture;
import io.delayjob.engine.ledger.RestorePermit;
import io.delayjob.engine.ledger.RestoredJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.TestedLedger;
import io.delayjob.testing.OwnRedis;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A Redis that is out of memory refuses submits; jobs that are in it run, move and leave. */
class FullRedisIT extends LedgerFixture {

    private static final Dedupe KEY = Dedupe.untilStarted("k");

    private final OwnRedis redis = OwnRedis.start();
    private final RedissonClient client = client(redis);
    private final RedisBackend backend = new RedisBackend(client, "delayjob", Runnable::run);
    private final TestedLedger shard = new OnFullRedis();

    @BeforeEach
    void fill() throws Exception {
        ledger = open(keeping(60_000, 10));
        submit(job("a", 0), job("b", 60_000, KEY));
        RedisCall.call(redis.url(), "CONFIG", "SET", "maxmemory", "1");
    }

    @Test
    void submitsAreRefusedWhateverTheyWouldLeadTo() {
        for (Dedupe dedupe : List.of(Dedupe.untilStarted("other"), KEY.replacing(), KEY.postponing())) {
            assertThatThrownBy(() -> submit("c", 5, dedupe))
                    .cause()
                    .isInstanceOfSatisfying(
                            LedgerException.class, e -> assertThat(e.kind()).isEqualTo(LedgerException.Kind.REFUSED));
        }
        assertThatThrownBy(() -> submit("b", 5, KEY.replacing())).hasMessageContaining("maxmemory");
        assertThat(ledger.counts().join().delayed()).isEqualTo(1);
        assertThat(find("c")).isEmpty();
    }

    @Test
    void everyOtherStepIsTaken() {
        takeEveryOtherStep();
    }

    @Test
    void everyOtherStepIsLogged() throws Exception {
        Flow.Request request = new Flow.Request(null, 1000, 1000);
        assertThat(ledger.flow(request).join().steps()).hasSize(1);
        takeEveryOtherStep();
        Flow.Page page = ledger.flow(request).join();
        assertThat(page.steps())
                .extracting(Flow.Step::kind)
                .startsWith(Flow.Kind.START, Flow.Kind.CLAIM, Flow.Kind.RELEASE, Flow.Kind.RESCHEDULE)
                .contains(Flow.Kind.RETRY, Flow.Kind.BURY, Flow.Kind.REDRIVE, Flow.Kind.COMPLETE)
                .endsWith(Flow.Kind.RESCHEDULE, Flow.Kind.CANCEL);
        assertThat(ledger.flow(new Flow.Request(page.read(), 1000, 500)).join().anchored())
                .isTrue();
        assertThat(ledger.trimFlow(page.read()).join()).isEqualTo(1);
        List<RestoredJob> lost = List.of(new RestoredJob("lost", JobContent.of("{}"), JobState.DELAYED, 5, 0, null));
        ledger.beginRestore("c0ffee").join();
        RestorePermit permit = RestorePermit.first("c0ffee");
        assertThatThrownBy(() -> ledger.restore(call(), permit, lost).join()).hasMessageContaining("maxmemory");
        RedisCall.call(redis.url(), "CONFIG", "SET", "maxmemory", "0");
        assertThat(ledger.restore(call(), permit, lost).join()).containsExactly(true);
    }

    private void takeEveryOtherStep() {
        Lease lease = claimOne();
        assertThat(report(lease, 50, "half")).isTrue();
        assertThat(renew(lease, 60_000)).isTrue();
        assertThat(release(lease, 60_000L)).isTrue();
        assertThat(reschedule("a", 0)).isEqualTo(ActionResult.done(JobState.DELAYED));
        assertThat(found("a").attempt().noHandlerSinceMillis()).isNull();
        assertThat(release(claimOne(), null)).isTrue();
        assertThat(retry(claimOne(), 0)).isTrue();
        assertThat(bury(claimOne())).isTrue();
        assertThat(redrive("a")).isEqualTo(ActionResult.done(JobState.DEAD));
        assertThat(redrive("a")).isEqualTo(ActionResult.refused(JobState.READY));
        assertThat(bury(claimOne())).isTrue();
        assertThat(ledger.redriveAll(call(), 1, 0, 0).join()).containsExactly("a");
        assertThat(ledger.redriveAll(call(), 1, 0, 0).join()).isEmpty();
        assertThat(ledger.purgeDead(call(), 0, 1).join()).isZero();
        assertThat(complete(claimOne(), "1")).isTrue();
        assertThat(found("a").state()).isEqualTo(JobState.COMPLETED);
        assertThat(reschedule("b", 70_000)).isEqualTo(ActionResult.done(JobState.DELAYED));
        assertThat(cancel("b")).isEqualTo(ActionResult.done(JobState.DELAYED));
        assertThat(cancel("nobody")).isEqualTo(ActionResult.NO_SUCH_JOB);
        Feed.Request request = TestSettings.feed(new Feed.Presence("n", 5000, 1, 1, List.of("x")));
        assertThat(ledger.feed(request).join().holder()).isTrue();
        assertThat(ledger.resign("n").join()).isTrue();
    }

    private static RedissonClient client(OwnRedis redis) {
        Config config = new Config();
        config.useSingleServer().setAddress(redis.url()).setConnectionMinimumIdleSize(1);
        return PatientScripts.of(Redisson.create(config));
    }

    @Override
    protected TestedLedger underTest() {
        return shard;
    }

    /** By Redis' own clock. */
    private final class OnFullRedis implements TestedLedger {

        @Override
        public ShardId id() {
            return new ShardId("q", 0);
        }

        @Override
        public Backend backend() {
            return backend;
        }

        @Override
        public void setClock(long millis) {}

        @Override
        public void close() {
            client.shutdown();
            redis.close();
        }
    }
}

package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.NewJob;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs with priorities in Redis, also beside a node of a release that knows nothing of {@code prioritized}. */
class PrioritizedIT extends RedisFixture {

    private static final String RECORD = "{\"v\":1,\"at\":1,\"job\":\"j\",\"param\":1}";

    private String key(Key key) {
        return shard.keys.of(key);
    }

    private List<String> claimed() {
        return claim(9).jobs().stream().map(job -> job.lease().id()).toList();
    }

    /** Puts a job in the state in which a node of the older release leaves it that has claimed it from {@code waiting}. */
    private Lease takenByAnOlderNode(String id) {
        raw.call("ZADD", key(Key.RESERVED), START + LEASE, id);
        raw.call(
                "HSET",
                key(Key.FACTS),
                id,
                "token=1:old|attempt=1|due=1|lease=|since=|node=m|lost=|claimed=1|priority=9|key=");
        return new Lease(id, "1:old");
    }

    private void feed() {
        ledger.feed(TestSettings.feed(new Feed.Presence("n", 5000, 1, 1, null))).join();
    }

    @Test
    void eachLevelIsARangeOfExactScores() {
        submit(job("a", 5, 9), job("b", 6, 5), job("c", 7, 3), job("d", 8, 0), job("e", 9));
        Map<String, Object> state = shard.state();
        assertThat(state.get("prioritized"))
                .isEqualTo(Map.of(
                        "a", 8_000_000_000_000_000L + START + 5,
                        "b", 4_000_000_000_000_000L + START + 6,
                        "c", 3_000_000_000_000_000L + START + 7,
                        "d", START + 8));
        assertThat(state.get("waiting")).isEqualTo(Map.of("e", START + 9));
        assertThat(state.get("levels")).isEqualTo("8430");
    }

    @Test
    void aShardWithoutPrioritiesHasNeitherKey() {
        submit(job("a", 0), job("b", 0, 4));
        retry(claimOne(), 5);
        bury(claimOne());
        assertThat(shard.state()).doesNotContainKeys("prioritized", "levels");
    }

    @Test
    void aJobThatIsAlsoInWaitingIsHandedOutOnce() {
        submit(job("a", 0, 9), job("b", 0));
        raw.call("ZADD", key(Key.WAITING), START, "a");
        assertThat(claimed()).containsExactlyInAnyOrder("a", "b");
        assertThat(shard.state()).doesNotContainKeys("prioritized", "waiting");
    }

    @Test
    void aJobThatGetsANewTimeLosesTheOldOneInBothSets() {
        submit(job("a", 0, 9));
        raw.call("ZADD", key(Key.WAITING), START, "a");
        reschedule("a", 5);
        assertThat(claimed()).isEmpty();
        time(5);
        assertThat(claimed()).containsExactly("a");
    }

    @Test
    void aJobThatAnOlderNodeRunsIsNotHandedOutAgain() {
        submit(job("a", 0, 9), job("b", 0, 9));
        Lease lease = takenByAnOlderNode("a");
        assertThat(claimed()).containsExactly("b");
        assertThat(shard.state()).doesNotContainKey("prioritized");
        assertThat(complete(lease)).isTrue();
    }

    @Test
    void aJobWhoseLeaseOfAnOlderNodeEndedIsHandedOutOnce() {
        submit(job("a", 0, 9));
        takenByAnOlderNode("a");
        time(LEASE + 1);
        assertThat(claimed()).containsExactly("a");
        assertThat(claimed()).isEmpty();
        assertThat(shard.state()).doesNotContainKey("prioritized");
    }

    @Test
    void aJobThatAnOlderNodeHasCompletedIsGone() {
        submit(job("a", 0, 9), job("b", 0, 9));
        raw.call("HDEL", key(Key.JOBS), "a");
        raw.call("HDEL", key(Key.FACTS), "a");
        assertThat(claimed()).containsExactly("b");
        assertThat(shard.state()).doesNotContainKey("prioritized");
    }

    /** It finds the job in none of the sets that it knows. */
    @Test
    void aJobThatAnOlderNodeBuriedAsLostRuns() {
        submit(job("a", 5, 9));
        raw.call("ZADD", key(Key.DEAD), START, "a");
        assertThat(found("a").state()).isEqualTo(JobState.DELAYED);
        time(5);
        Claimed.Job job = claimJob();
        assertThat(job.lease().id()).isEqualTo("a");
        assertThat(shard.state()).doesNotContainKey("dead");
        assertThat(complete(job.lease())).isTrue();
        assertThat(find("a")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "99999999999", "\n"})
    void aFeedFindsJobsWhoseLevelsWereLost(String garbage) {
        submit(job("a", 5, 9), job("b", 5, 0));
        raw.call("SET", key(Key.LEVELS), garbage);
        feed();
        time(5);
        assertThat(claimed()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void aKeyOfTheWrongTypeStopsASubmitBeforeItStoresAnything() {
        raw.call("SET", key(Key.PRIORITIZED), "x");
        NewJob keyed = new NewJob("a", job("a", 0).due(), new JobContent(BODY, null, Dedupe.untilStarted("k")));
        assertThatThrownBy(() ->
                        ledger.submit(call(), List.of(keyed, job("b", 0, 9))).join())
                .hasMessageContaining("prioritized");
        assertThat(shard.state()).containsOnlyKeys("prioritized");
    }

    @Test
    void aJobThatIsInNoSetIsDeadAsOneOfTheUsualPriorityIs() {
        submit(job("a", 5, 9));
        raw.call("DEL", key(Key.PRIORITIZED));
        feed();
        assertThat(found("a").state()).isEqualTo(JobState.DEAD);
        redrive("a");
        assertThat(claimed()).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"inf", "-inf", "1.5", "-3", "1e300", "9007199254740993", "43e15"})
    void aScoreOfAnythingIsInNobodysWay(String score) {
        submit(job("a", 0, 9), job("b", 0, 0));
        raw.call("HSET", key(Key.JOBS), "odd", RECORD);
        raw.call("ZADD", key(Key.PRIORITIZED), score, "odd");
        ledger.tally().join();
        assertThat(claimed()).contains("a", "b");
        feed();
        assertThat(found("odd").state()).isIn(JobState.RESERVED, JobState.DEAD);
    }
}

package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.NewJob;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The index in Redis, also where a node of a release without it has finished a job, or one of its keys is gone. */
class IndexIT extends RedisFixture {

    private static final String RED = "red-------a";
    private static final String BLUE = "blue------_";

    private String key(Key key) {
        return shard.keys.of(key);
    }

    private static NewJob marked(String id, String marks) {
        JobContent content = JobContent.of("\"job\":\"j\",\"param\":1,\"index\":\"" + marks + "\"}");
        return new NewJob(id, new NewJob.Due(0, true), content);
    }

    private List<String> indexed(String mark) {
        return ledger.indexed(mark, 9).join().jobs().stream()
                .map(Listing.Entry::id)
                .toList();
    }

    private void feed() {
        ledger.feed(TestSettings.feed(new Feed.Presence("n", 5000, 1, 1, null))).join();
    }

    @Test
    void aShardWithoutMarksHasNeitherKey() {
        submit(job("a", 0), job("b", 0, 9));
        complete(claimOne());
        feed();
        assertThat(shard.state()).doesNotContainKeys("index", "marks");
    }

    @Test
    void theIndexHasNeitherFieldsNorValuesAndIsGoneWithTheLastJob() {
        submit(marked("a", RED + BLUE), marked("b", RED));
        assertThat(shard.state())
                .containsEntry("index", Map.of(RED + "a", 0L, BLUE + "a", 0L, RED + "b", 0L))
                .containsEntry("marks", Map.of("a", RED + BLUE, "b", RED));
        complete(claimOne());
        complete(claimOne());
        assertThat(shard.state()).doesNotContainKeys("index", "marks");
    }

    /** It removes no marks, because it knows none. */
    private void finishedByAnOlderNode(String id) {
        raw.call("ZREM", key(Key.WAITING), id);
        raw.call("HDEL", key(Key.JOBS), id);
    }

    @Test
    void aJobThatAnOlderNodeFinishedIsNotFoundAndLeavesTheIndexInTime() {
        submit(marked("gone", RED), marked("stays", RED + BLUE));
        finishedByAnOlderNode("gone");
        assertThat(indexed(RED)).containsExactly("stays");
        feed();
        assertThat(shard.state())
                .containsEntry("index", Map.of(RED + "stays", 0L, BLUE + "stays", 0L))
                .containsEntry("marks", Map.of("stays", RED + BLUE));
    }

    @Test
    void aJobOfAnOlderNodeUnderTheSameIdIsNotFoundByTheMarksOfTheOneBefore() {
        submit(marked("a", RED));
        finishedByAnOlderNode("a");
        raw.call("HSET", key(Key.JOBS), "a", "{\"v\":1,\"at\":1,\"job\":\"j\",\"param\":1}");
        raw.call("ZADD", key(Key.WAITING), START, "a");
        assertThat(indexed(RED)).isEmpty();
        feed();
        assertThat(shard.state()).doesNotContainKeys("index", "marks");
    }

    @Test
    void aLostKeyOfTheIndexIsMadeAnewFromTheOther() {
        submit(marked("a", RED + BLUE), marked("b", BLUE));
        Map<String, Object> before = shard.state();
        for (Key lost : List.of(Key.INDEX, Key.MARKS)) {
            raw.call("DEL", key(lost));
            // It examines random jobs, so that one of these may be left out.
            await().untilAsserted(() -> {
                feed();
                assertThat(shard.state())
                        .containsAllEntriesOf(Map.of("index", before.get("index"), "marks", before.get("marks")));
            });
        }
    }
}

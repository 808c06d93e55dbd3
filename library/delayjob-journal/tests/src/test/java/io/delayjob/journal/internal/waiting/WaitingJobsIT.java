package io.delayjob.journal.internal.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.ActionResult;
import io.delayjob.JobState;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.journal.database.Submissions;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.Submission;
import io.delayjob.testing.Variants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@Tag(Variants.TAG)
@ParameterizedClass
@MethodSource("io.delayjob.journal.database.TestDatabase#variants")
class WaitingJobsIT {

    private static final ShardId SHARD = new ShardId("orders", 0);
    private static final long HORIZON = Duration.ofHours(1).toMillis();
    private static final long DAY = Duration.ofDays(1).toMillis();

    @Parameter
    @SuppressWarnings("NullAway.Init")
    TestDatabase kind;

    private HikariDataSource source;
    private Database database;
    private SqlJournaledJobs waiting;

    @BeforeEach
    void open() {
        source = kind.prepared();
        database = Database.of(source, "test");
        waiting = new SqlJournaledJobs(database, "orders"::equals, HORIZON);
    }

    @AfterEach
    void close() {
        waiting.close();
        source.close();
    }

    private void submit(String id, String topic, long delayMillis, @Nullable Long aheadMillis) {
        NewJob job = new NewJob(
                id,
                new NewJob.Due(delayMillis, true),
                JobContent.of("\"job\":\"" + topic + "\",\"param\":12345678901234567890}"));
        assertThat(database.submits().add(List.of(Submissions.of(SHARD, job, aheadMillis))))
                .doesNotContain(Submission.Result.TAKEN);
    }

    private void marked(String id, long delayMillis, @Nullable Long aheadMillis, String marks) {
        NewJob job = new NewJob(
                id,
                new NewJob.Due(delayMillis, true),
                JobContent.of("\"job\":\"close\",\"param\":1,\"index\":\"" + marks + "\"}"));
        database.submits().add(List.of(Submissions.of(SHARD, job, aheadMillis)));
    }

    private Listing.Indexed indexed(String mark, int limit) {
        return waiting.indexed("orders", mark, limit).join();
    }

    @Test
    void findsTheJobsWithAMarkThatAreNotInRedis() {
        String red = "red-------a";
        marked("far", DAY, HORIZON, red + "blue------_");
        marked("near", 1000, null, red);
        marked("second", DAY, HORIZON, red);
        assertThat(indexed(red, 9).jobs())
                .extracting(Listing.Entry::id)
                .containsExactlyInAnyOrder("far", "near", "second");
        assertThat(indexed("blue------_", 9).jobs())
                .extracting(Listing.Entry::id)
                .containsExactly("far");
        assertThat(indexed(red, 2).jobs()).hasSize(2);
        assertThat(indexed(red, 2).more()).isTrue();
        assertThat(indexed(red, 3).more()).isFalse();
        waiting.cancel("orders", "far").join();
        assertThat(indexed("blue------_", 9).jobs()).isEmpty();
    }

    private void far(String id, long delayMillis) {
        submit(id, "close", delayMillis, HORIZON);
    }

    private List<String> ids(@Nullable String nameMark, @Nullable String idPrefix, int limit) {
        List<String> ids = new ArrayList<>();
        Listing.Position after = null;
        do {
            Listing.Answer page = waiting.list(
                            SHARD, new Listing.Request(JobState.DELAYED, nameMark, idPrefix, after, limit))
                    .join();
            page.jobs().forEach(entry -> ids.add(entry.id()));
            after = page.next();
        } while (after != null);
        return ids;
    }

    @Test
    void findsAJobWithItsRecordAndDueTime() {
        long before = database.jobs().now();
        far("a", DAY);
        StoredJob found = waiting.find("orders", "a").join().orElseThrow();
        assertThat(found.state()).isEqualTo(JobState.DELAYED);
        assertThat(found.atMillis()).isBetween(before + DAY, database.jobs().now() + DAY);
        assertThat(found.record())
                .startsWith("{\"v\":1,\"at\":")
                .endsWith(",\"job\":\"close\",\"param\":12345678901234567890}");
        assertThat(waiting.find("orders", "b").join()).isEmpty();
        assertThat(waiting.mayBeOf("orders")).isTrue();
        assertThat(waiting.mayBeOf("mail")).isFalse();
    }

    @Test
    void findsASubmitThatRedisHasNotConfirmed() {
        submit("a", "close", 1000, null);
        assertThat(waiting.find("orders", "a").join()).isPresent();
    }

    @Test
    void tellsAJobThatIsFarFromOneThatRedisMayHave() {
        submit("near", "close", 1000, null);
        far("due", HORIZON - 1000);
        far("far", DAY);
        assertThat(waiting.findFar("orders", "near").join()).isEmpty();
        assertThat(waiting.findFar("orders", "due").join()).isEmpty();
        assertThat(waiting.findFar("orders", "far").join())
                .isEqualTo(waiting.find("orders", "far").join())
                .isPresent();
    }

    @Test
    void listsThoseThatAreNotOnTheirWayInTheOrderOfTheirDueTimes() {
        far("c", DAY);
        far("b", 3 * DAY);
        far("a", 2 * DAY);
        submit("other", "remind", 4 * DAY, HORIZON);
        submit("pending", "close", DAY, null);
        far("due", HORIZON - 1000);
        database.shards().enlist(SHARD);
        for (int limit : List.of(1, 2, 3, 200)) {
            assertThat(ids(null, null, limit)).containsExactly("c", "a", "b", "other");
        }
        assertThat(ids("\"job\":\"remind\",", null, 2)).containsExactly("other");
        assertThat(ids(null, "b", 2)).containsExactly("b");
        assertThat(waiting.count("orders").join()).isEqualTo(4);
        assertThat(waiting.count("mail").join()).isZero();
    }

    @Test
    void cancelsOnce() {
        far("a", DAY);
        assertThat(waiting.cancel("orders", "a").join()).isEqualTo(ActionResult.done(JobState.DELAYED));
        assertThat(waiting.cancel("orders", "a").join()).isEqualTo(ActionResult.NO_SUCH_JOB);
        assertThat(waiting.find("orders", "a").join()).isEmpty();
        far("a", DAY);
        assertThat(waiting.find("orders", "a").join()).isPresent();
    }

    @Test
    void givesANewDueTimeAndBringsTheJobInTime() {
        far("a", 10 * DAY);
        long before = database.jobs().now();
        assertThat(waiting.reschedule("orders", "a", 2 * DAY).join()).isEqualTo(ActionResult.done(JobState.DELAYED));
        assertThat(waiting.find("orders", "a").join().orElseThrow().atMillis())
                .isBetween(before + 2 * DAY, database.jobs().now() + 2 * DAY);
        assertThat(waiting.list(SHARD, new Listing.Request(JobState.DELAYED, null, null, null, 1))
                        .join()
                        .next())
                .satisfies(next -> assertThat(next.millis())
                        .isBetween(before + 2 * DAY - HORIZON, database.jobs().now() + 2 * DAY - HORIZON));
        assertThat(waiting.reschedule("orders", "a", 0).join().done()).isTrue();
        assertThat(database.relays().due(SHARD, database.jobs().now(), 10)).hasSize(1);
    }

    @Test
    void actsOnAFarJobOfATransactionToo() {
        NewJob job = new NewJob("a", new NewJob.Due(DAY, true), JobContent.of("\"job\":\"close\",\"param\":1}"));
        database.inside().add(List.of(Submissions.of(SHARD, job, HORIZON)));
        database.shards().enlist(SHARD);
        assertThat(ids(null, null, 10)).containsExactly("a");
        assertThat(waiting.count("orders").join()).isEqualTo(1);
        assertThat(waiting.findFar("orders", "a").join()).isPresent();
        assertThat(waiting.reschedule("orders", "a", 2 * DAY).join()).isEqualTo(ActionResult.done(JobState.DELAYED));
        assertThat(waiting.cancel("orders", "a").join()).isEqualTo(ActionResult.done(JobState.DELAYED));
        assertThat(waiting.find("orders", "a").join()).isEmpty();
    }

    @Test
    void leavesAJobAloneThatIsOnItsWayAndSaysSo() {
        submit("a", "close", DAY, null);
        assertThatThrownBy(() -> waiting.cancel("orders", "a").join())
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("job 'a' of queue 'orders' is just being brought to Redis");
        far("b", HORIZON - 1000);
        assertThatThrownBy(() -> waiting.reschedule("orders", "b", 1).join())
                .hasMessageContaining("job 'b' of queue 'orders' is just being brought to Redis");
        assertThat(waiting.find("orders", "a").join()).isPresent();
    }

    @Test
    void inItsLastSecondHereAJobIsOnItsWay() {
        far("a", HORIZON + 900);
        assertThatThrownBy(() -> waiting.cancel("orders", "a").join())
                .hasMessageContaining("job 'a' of queue 'orders' is just being brought to Redis");
        assertThatThrownBy(() -> waiting.reschedule("orders", "a", 2 * DAY).join())
                .hasMessageContaining("job 'a' of queue 'orders' is just being brought to Redis");
        assertThat(waiting.find("orders", "a").join()).isPresent();
    }
}

package io.delayjob.journal.internal.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.JobState;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.Flow.Kind;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.database.Submissions;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.Submission;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Effects of the steps of an id on the rows that its submits left. */
class JobFoldTest {

    private static final ShardId SHARD = new ShardId("orders", 0);
    private static final ShardId OTHER = new ShardId("orders", 1);

    private HikariDataSource source;
    private Database database;
    private int item;

    @BeforeEach
    void open() {
        source = TestDatabase.H2_MEMORY.prepared();
        database = Database.of(source, "test");
    }

    @AfterEach
    void close() {
        source.close();
    }

    /** A submit with a tag. */
    private void submitted(long tag, @Nullable Long ahead) {
        submitted(SHARD, tag, ahead);
    }

    private void submitted(ShardId shard, long tag, @Nullable Long ahead) {
        NewJob job = new NewJob("x", new NewJob.Due(100_000_000, true), JobContent.of(body(tag)))
                .with(new NewJob.Journaled("", tag));
        assertThat(database.submits().add(List.of(Submissions.of(shard, job, ahead))))
                .doesNotContain(Submission.Result.TAKEN);
    }

    private Flow.Step step(Kind kind, @Nullable JobState state, @Nullable String text, @Nullable Long tag) {
        return new Flow.Step("5-1", item++, kind, 1000, "x", state, 0, null, null, text, null, tag);
    }

    private Flow.Step refused(@Nullable Long tag) {
        return step(Kind.REFUSE, null, "x", tag);
    }

    private Flow.Step stored(Kind kind, String body, @Nullable Long tag) {
        return stored(kind, 900, body, tag);
    }

    private Flow.Step stored(Kind kind, long submittedAt, String body, @Nullable Long tag) {
        String record = "{\"v\":1,\"at\":" + submittedAt + "," + body;
        return new Flow.Step(
                "5-1", item++, kind, 1000, "x", JobState.DELAYED, 0, 2000L, null, null, JobContent.of(record), tag);
    }

    private void write(Flow.Step... steps) {
        write(SHARD, steps);
    }

    private void write(ShardId shard, Flow.Step... steps) {
        write(shard, true, steps);
    }

    private void write(ShardId shard, boolean adopted, Flow.Step... steps) {
        PageWriter pages = new PageWriter(database.jobs(), database.flow(), JournalTables.ids(1));
        database.own().executeWithoutResult(status -> pages.write(shard, adopted, PageWriter.byJob(List.of(steps))));
    }

    private List<JobRow> rows() {
        return database.jobs().unfinished("orders", List.of("x"));
    }

    private static String body(long param) {
        return "\"job\":\"x\",\"param\":" + param + "}";
    }

    /** The rows, in order: the param of each, with a bang for the one that has the id. */
    private List<String> told() {
        return rows().stream()
                .map(row -> row.content().record().replaceAll("\\D", "")
                        + (row.status().live() ? "!" : ""))
                .toList();
    }

    @Test
    void aStoredSubmitConfirmsItsRow() {
        submitted(1, null);
        submitted(2, null);
        write(stored(Kind.SUBMIT, body(2), 2L));
        assertThat(told()).containsExactly("1", "2!");
        JobRow live = rows().get(1);
        assertThat(live.status().relayAt()).isNull();
        assertThat(live.status().fromNow()).isFalse();
        assertThat(live.status().dueAt()).isEqualTo(2000);
        assertThat(live.createdAt()).isEqualTo(900);
    }

    @Test
    void aSubmitThatWasNotWrittenHereLeavesTheOthersAlone() {
        submitted(1, null);
        write(stored(Kind.SUBMIT, body(1), null), refused(null), refused(9L));
        assertThat(told()).containsExactly("1", "1!");
    }

    @Test
    void anEndAndTheNextJobOfTheIdAreTwoRows() {
        submitted(1, null);
        submitted(2, null);
        write(
                stored(Kind.SUBMIT, body(1), 1L),
                step(Kind.COMPLETE, JobState.COMPLETED, "7", null),
                stored(Kind.SUBMIT, body(2), 2L));
        assertThat(told()).containsExactly("2!");
        assertThat(rows().get(0).status().result()).isNull();
    }

    @Test
    void aRefusedSubmitLosesItsRowAndNoOther() {
        submitted(1, null);
        submitted(2, null);
        submitted(3, null);
        write(stored(Kind.SUBMIT, body(1), 1L), refused(3L), refused(3L));
        assertThat(told()).containsExactly("1!", "2");
    }

    @Test
    void aRefusedSubmitKeepsItsRowUntilAllJobsOfItsShardAreKnown() {
        submitted(1, null);
        write(SHARD, false, refused(1L));
        assertThat(told()).containsExactly("1");
        write(refused(1L));
        assertThat(rows()).isEmpty();
    }

    @Test
    void aRefusedFarJobKeepsItsRowUntilAllJobsOfItsShardAreKnown() {
        submitted(1, 1000L);
        write(SHARD, false, refused(1L));
        assertThat(told()).containsExactly("1!");
        write(refused(1L));
        assertThat(rows()).isEmpty();
    }

    @Test
    void aJobThatIsPostponedKeepsItsRow() {
        submitted(1, null);
        write(stored(Kind.SUBMIT, body(1), 1L), stored(Kind.SUBMIT, body(5), null));
        assertThat(told()).containsExactly("5!");
        assertThat(rows().get(0).isOf(1L)).isTrue();
    }

    @Test
    void aFarJobIsConfirmedWhenItComesToRedis() {
        submitted(1, 1000L);
        assertThat(told()).containsExactly("1!");
        write(stored(Kind.SUBMIT, body(1), 1L));
        assertThat(told()).containsExactly("1!");
        assertThat(rows().get(0).status().relayAt()).isNull();
    }

    @Test
    void aFarJobKeepsItsTurnIfAnotherOfItsIdWasOnItsWay() {
        submitted(1, 1000L);
        write(stored(Kind.SUBMIT, body(2), null));
        assertThat(told()).containsExactly("1", "2!");
        assertThat(rows().get(0).status().relayAt()).isNotNull();
        write(step(Kind.COMPLETE, JobState.COMPLETED, null, null), stored(Kind.SUBMIT, body(1), 1L));
        assertThat(told()).containsExactly("1!");
    }

    @Test
    void whatHappensToAnotherJobOfItsIdLeavesAFarJobAlone() {
        submitted(1, 1000L);
        write(step(Kind.CLAIM, JobState.RESERVED, null, null), step(Kind.COMPLETE, JobState.COMPLETED, null, null));
        assertThat(told()).containsExactly("1");
        assertThat(rows().get(0).status().relayAt()).isNotNull();
    }

    @Test
    void aFarJobWhoseIdRedisHasIsOfNoJob() {
        submitted(1, 1000L);
        write(refused(1L));
        assertThat(rows()).isEmpty();
    }

    @Test
    void aJobOfAnotherShardHasTheIdOnceThatOneHasEnded() {
        submitted(1, null);
        submitted(OTHER, 2, null);
        write(stored(Kind.SUBMIT, body(1), 1L));
        write(OTHER, stored(Kind.SUBMIT, 950, body(2), 2L));
        assertThat(told()).as("the end of the first is not written yet").containsExactly("1", "2!");
        write(step(Kind.CLAIM, JobState.RESERVED, null, null));
        assertThat(told()).containsExactly("1", "2!");
        write(step(Kind.COMPLETE, JobState.COMPLETED, "7", null));
        assertThat(told()).containsExactly("2!");
        assertThat(database.jobs().ended("orders", List.of("x"))).containsKey("x");
        write(OTHER, step(Kind.COMPLETE, JobState.COMPLETED, null, null));
        assertThat(rows()).isEmpty();
    }

    @Test
    void aJobWhoseLogIsReadAfterThatOfTheNextOneDoesNotHaveTheId() {
        submitted(1, null);
        submitted(OTHER, 2, null);
        write(OTHER, stored(Kind.SUBMIT, 950, body(2), 2L));
        write(stored(Kind.SUBMIT, body(1), 1L));
        assertThat(told()).containsExactly("1", "2!");
        write(step(Kind.CLAIM, JobState.RESERVED, null, null), step(Kind.COMPLETE, JobState.COMPLETED, null, null));
        assertThat(told()).containsExactly("2!");
        assertThat(database.jobs().ended("orders", List.of("x"))).containsKey("x");
    }

    @Test
    void aJobThatGoesOnHasItsIdOnceMoreIfNoOtherHas() {
        submitted(1, null);
        submitted(OTHER, 2, null);
        write(stored(Kind.SUBMIT, 970, body(1), 1L));
        write(OTHER, stored(Kind.SUBMIT, 950, body(2), 2L));
        assertThat(told()).as("the clock of the first is ahead").containsExactly("1!", "2");
        write(OTHER, step(Kind.CLAIM, JobState.RESERVED, null, null));
        assertThat(told()).as("the end of the first is not written yet").containsExactly("1!", "2");
        write(step(Kind.COMPLETE, JobState.COMPLETED, null, null));
        write(OTHER, step(Kind.RETRY, JobState.DELAYED, "broke", null));
        assertThat(told()).containsExactly("2!");
    }

    @Test
    void theEndOfAnOvertakenJobLeavesAFarJobOfItsIdAlone() {
        submitted(1, null);
        submitted(OTHER, 2, null);
        write(stored(Kind.SUBMIT, body(1), 1L));
        write(OTHER, stored(Kind.SUBMIT, 950, body(2), 2L), step(Kind.COMPLETE, JobState.COMPLETED, null, null));
        submitted(3, 1000L);
        assertThat(told()).containsExactly("1", "3!");
        write(step(Kind.CLAIM, JobState.RESERVED, null, null), step(Kind.COMPLETE, JobState.COMPLETED, null, null));
        assertThat(told()).containsExactly("3!");
    }

    @Test
    void aFarJobOfAnotherShardKeepsItsTurnButNotTheId() {
        submitted(OTHER, 1, 1000L);
        write(stored(Kind.SUBMIT, body(2), null));
        assertThat(told()).containsExactly("1", "2!");
        write(OTHER, refused(1L));
        assertThat(told()).containsExactly("2!");
    }

    @Test
    void aSubmitThatAnotherShardsJobStandsInTheWayOfLosesItsRow() {
        submitted(1, null);
        submitted(OTHER, 2, null);
        write(stored(Kind.SUBMIT, body(1), 1L));
        write(OTHER, refused(2L));
        assertThat(told()).containsExactly("1!");
    }

    @Test
    void stepsOfTwoShardsAtOnePositionAreBothKept() {
        PageWriter pages = new PageWriter(database.jobs(), database.flow(), JournalTables.ids(2));
        CarefulWriter careful = new CarefulWriter(pages);
        Flow.Step first =
                new Flow.Step("5-1", 0, Kind.CANCEL, 1000, "x", JobState.CANCELLED, 0, null, null, null, null, null);
        List.of(SHARD, OTHER)
                .forEach(shard -> database.own().executeWithoutResult(status -> {
                    careful.write(shard, true, PageWriter.byJob(List.of(first)), status);
                    careful.write(shard, true, PageWriter.byJob(List.of(first)), status);
                }));
        assertThat(database.flow().history("orders", "x", 10)).hasSize(2);
    }

    @Test
    void aRestoredJobKeepsItsRow() {
        submitted(1, null);
        write(stored(Kind.SUBMIT, body(1), 1L), step(Kind.CLAIM, JobState.RESERVED, null, null));
        long seq = rows().get(0).seq();
        write(stored(Kind.RESTORE, body(1), null));
        assertThat(rows()).extracting(JobRow::seq).containsExactly(seq);
        assertThat(rows().get(0).status().state()).isEqualTo(JobState.DELAYED);
    }
}

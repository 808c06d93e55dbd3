package io.delayjob.journal.internal.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.Flow.Kind;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.Submission;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the steps of an id make of the rows that its submits left. */
class JobFoldTest {

    private static final ShardId SHARD = new ShardId("orders", 0);

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

    private void submitted(String body, @Nullable Long ahead, @Nullable Dedupe dedupe) {
        NewJob job = new NewJob("x", new NewJob.Due(100_000_000, true), null, dedupe, body);
        assertThat(database.jobs().submit(List.of(new Submission(SHARD, job, false, ahead))))
                .containsExactly(true);
    }

    private Flow.Step step(Kind kind, @Nullable JobState state, @Nullable String text) {
        return new Flow.Step("5-1", item++, kind, 1000, "x", state, 0, null, null, text, null);
    }

    private Flow.Step stored(Kind kind, String body) {
        String record = "{\"v\":1,\"at\":900," + body;
        return new Flow.Step(
                "5-1",
                item++,
                kind,
                1000,
                "x",
                JobState.DELAYED,
                0,
                2000L,
                null,
                null,
                new Flow.Stored(record, null, null));
    }

    private void write(Flow.Step... steps) {
        PageWriter pages = new PageWriter(database.jobs(), database.flow());
        database.own().executeWithoutResult(status -> pages.write(SHARD, PageWriter.byJob(List.of(steps))));
    }

    private List<JobRow> rows() {
        return database.jobs().unfinished("orders", List.of("x"));
    }

    private static String body(int param) {
        return "\"job\":\"x\",\"param\":" + param + "}";
    }

    @Test
    void aStoredSubmitConfirmsTheRowWithItsContent() {
        submitted(body(1), null, null);
        submitted(body(2), null, null);
        write(stored(Kind.SUBMIT, body(2)));
        assertThat(rows()).extracting(row -> row.content().body()).containsExactly(body(1), body(2));
        assertThat(rows()).extracting(row -> row.status().live()).containsExactly(false, true);
        JobRow live = rows().get(1);
        assertThat(live.status().relayAt()).isNull();
        assertThat(live.status().fromNow()).isFalse();
        assertThat(live.status().dueAt()).isEqualTo(2000);
        assertThat(live.createdAt()).isEqualTo(900);
    }

    @Test
    void aSubmitThatIsLikeNoRowConfirmsTheFirst() {
        submitted(body(1), null, null);
        write(stored(Kind.SUBMIT, body(3)));
        assertThat(rows()).hasSize(1);
        assertThat(rows().get(0).content().body()).isEqualTo(body(3));
        assertThat(rows().get(0).status().live()).isTrue();
    }

    @Test
    void anEndAndTheNextJobOfTheIdAreTwoRows() {
        submitted(body(1), null, null);
        submitted(body(2), null, null);
        write(stored(Kind.SUBMIT, body(1)), step(Kind.COMPLETE, JobState.COMPLETED, "7"), stored(Kind.SUBMIT, body(2)));
        assertThat(rows()).hasSize(1);
        assertThat(rows().get(0).content().body()).isEqualTo(body(2));
        assertThat(rows().get(0).status().live()).isTrue();
        assertThat(rows().get(0).status().result()).isNull();
    }

    @Test
    void aRefusedSubmitLosesItsRowAndNoLiveOne() {
        submitted(body(1), null, null);
        write(stored(Kind.SUBMIT, body(1)));
        submitted(body(2), null, null);
        write(step(Kind.REFUSE, null, "x"), step(Kind.REFUSE, null, "x"));
        assertThat(rows()).extracting(row -> row.content().body()).containsExactly(body(1));
    }

    @Test
    void aRefusalForADedupeKeyIsOfASubmitWithOne() {
        submitted(body(1), null, null);
        submitted(body(2), null, Dedupe.untilFinished("key"));
        write(step(Kind.REFUSE, null, "other"));
        assertThat(rows()).extracting(row -> row.content().body()).containsExactly(body(1));
    }

    @Test
    void aFarJobIsConfirmedWhenItComesToRedis() {
        submitted(body(1), 1000L, null);
        assertThat(rows().get(0).status().live()).isTrue();
        write(stored(Kind.SUBMIT, body(1)));
        assertThat(rows()).hasSize(1);
        assertThat(rows().get(0).status().relayAt()).isNull();
    }

    @Test
    void aFarJobWhoseIdIsInRedisIsNotRelayedAgain() {
        submitted(body(1), 1000L, null);
        write(step(Kind.REFUSE, null, "x"));
        assertThat(rows()).hasSize(1);
        assertThat(rows().get(0).status().relayAt()).isNull();
    }

    @Test
    void aRestoredJobKeepsItsRow() {
        submitted(body(1), null, null);
        write(stored(Kind.SUBMIT, body(1)), step(Kind.CLAIM, JobState.RESERVED, null));
        long seq = rows().get(0).seq();
        write(stored(Kind.RESTORE, body(1)));
        assertThat(rows()).extracting(JobRow::seq).containsExactly(seq);
        assertThat(rows().get(0).status().state()).isEqualTo(JobState.DELAYED);
    }
}

package io.delayjob.journal.internal.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.JobState;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.FlowRow;
import io.delayjob.journal.internal.tables.LiveJob;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;

/** One job that the database refuses does not keep it from the others. */
class CarefulWriterTest {

    private static final ShardId SHARD = new ShardId("orders", 0);

    private final Ledger ledger =
            new MemoryBackend(System::currentTimeMillis).ledger(SHARD, Retention.NONE, Replication.NONE);
    private HikariDataSource database;
    private Database tables;
    private ShardWriter writer;
    private long calls;

    @BeforeEach
    void open() {
        database = TestDatabase.H2_MEMORY.prepared();
        tables = Database.of(database, "test");
        tables.shards().enlist(SHARD);
        writer = new ShardWriter(
                SHARD, ledger, 1000, JournalTables.parts(tables, AfterDrain.NONE, (shard, loss, at) -> {}));
        writer.visit(false);
        writer.visit(false);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void submit(String... ids) {
        List<NewJob> jobs = Stream.of(ids)
                .map(id -> new NewJob(id, new NewJob.Due(0, true), JobContent.of("\"job\":\"x\",\"param\":1}")))
                .toList();
        ledger.submit(new Call("test", ++calls), jobs).join();
    }

    private void settleAll(String worker) {
        ClaimRequest request =
                new ClaimRequest("node", worker, ClaimRequest.Limits.of(10), 60_000, "r", false, false, 0, 0);
        List<Settlement> all = ledger.claim(new Call("test", ++calls), request).join().jobs().stream()
                .map(job -> (Settlement) new Settlement.Complete(
                        job.lease(), job.lease().id().equals("bad") ? "\"" + "x".repeat(500) + "\"" : "1", 0))
                .toList();
        ledger.settle(new Call("test", ++calls), all).join();
    }

    private void refuse(String table, String condition) {
        new JdbcTemplate(database)
                .execute("ALTER TABLE " + table + " ADD CONSTRAINT refusing CHECK (" + condition + ")");
    }

    private void write() {
        assertThatThrownBy(() -> writer.visit(false)).isInstanceOf(DataIntegrityViolationException.class);
        assertThat(writer.visit(false)).isEqualTo(ShardWriter.Found.SOMETHING);
        assertThat(writer.visit(false)).isEqualTo(ShardWriter.Found.NOTHING);
    }

    private List<String> unfinished() {
        return tables.jobs().liveIds(SHARD, 0, 100).stream().map(LiveJob::id).toList();
    }

    private List<String> kinds(String id) {
        return tables.flow().history("orders", id, 100).stream()
                .map(FlowRow::kind)
                .toList();
    }

    @Test
    void aRowThatIsRefusedLeavesItsStepsAndTheOtherJobs() {
        refuse("delayjob_job", "id <> 'bad'");
        submit("a", "bad", "b");
        write();
        assertThat(unfinished()).containsExactly("a", "b");
        assertThat(kinds("bad")).containsExactly("SUBMIT");
        settleAll("worker");
        writer.visit(false);
        assertThat(unfinished()).isEmpty();
        assertThat(kinds("bad")).containsExactly("SUBMIT", "CLAIM", "COMPLETE");
    }

    @Test
    void aTextThatIsRefusedLeavesTheStateRight() {
        submit("a", "bad");
        writer.visit(false);
        refuse("delayjob_job", "result IS NULL OR char_length(result) < 100");
        settleAll("worker");
        write();
        assertThat(unfinished()).isEmpty();
        assertThat(tables.jobs().find("orders", "bad").orElseThrow().status().state())
                .isEqualTo(JobState.COMPLETED);
        assertThat(tables.jobs().find("orders", "bad").orElseThrow().status().result())
                .isNull();
        assertThat(tables.jobs().find("orders", "a").orElseThrow().status().result())
                .isEqualTo("1");
        assertThat(kinds("bad")).containsExactly("SUBMIT", "CLAIM", "COMPLETE");
    }

    @Test
    void aHistoryThatIsRefusedLeavesTheRow() {
        refuse("delayjob_flow", "id <> 'bad'");
        submit("a", "bad", "b");
        write();
        assertThat(unfinished()).containsExactly("a", "b");
        assertThat(kinds("bad")).isEmpty();
    }

    @Test
    void whatIsNotAboutTheDataIsTriedAgain() {
        new JdbcTemplate(database).execute("ALTER TABLE delayjob_flow RENAME TO elsewhere");
        submit("a");
        assertThatThrownBy(() -> writer.visit(false)).isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> writer.visit(false)).isInstanceOf(RuntimeException.class);
        new JdbcTemplate(database).execute("ALTER TABLE elsewhere RENAME TO delayjob_flow");
        writer.visit(false);
        assertThat(kinds("a")).containsExactly("SUBMIT");
    }

    @Test
    void aLeaseOfAnotherWorkerIsNoted() {
        submit("a");
        settleAll("someone");
        writer.visit(false);
        assertThat(tables.flow().history("orders", "a", 9))
                .extracting(FlowRow::node)
                .contains("someone");
    }
}

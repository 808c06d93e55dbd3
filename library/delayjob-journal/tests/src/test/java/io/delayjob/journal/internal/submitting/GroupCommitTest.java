package io.delayjob.journal.internal.submitting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.Submission;
import io.delayjob.journal.internal.writing.FailingDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupCommitTest {

    private HikariDataSource source;
    private FailingDatabase failing;
    private Database database;
    private GroupCommit commits;

    @BeforeEach
    void open() {
        source = TestDatabase.H2_MEMORY.prepared();
        failing = new FailingDatabase(source);
        database = Database.of(failing, "test");
        commits = new GroupCommit(database, Duration.ofSeconds(30));
    }

    @AfterEach
    void close() {
        commits.close();
        source.close();
    }

    private Kind failed(int steps) {
        NewJob job = new NewJob("a", new NewJob.Due(0, true), JobContent.of("\"job\":\"x\",\"param\":1}"));
        failing.breakAfter(steps);
        CompletableFuture<List<Submission.Result>> write = commits.write(
                List.of(new Submission(new ShardId("orders", 0), job, new NewJob.Journaled("", 1), false, null)));
        Throwable failure = catchThrowable(write::join);
        failing.breakAfter(Integer.MAX_VALUE);
        assertThat(failure).isInstanceOf(CompletionException.class);
        LedgerException cause = (LedgerException) failure.getCause();
        return Objects.requireNonNull(cause).kind();
    }

    @Test
    void knowsThatNothingIsStoredIfTheConnectionBreaksBeforeTheCommit() {
        assertThat(failed(0)).isEqualTo(Kind.NOT_RUN);
        assertThat(failed(1)).isEqualTo(Kind.NOT_RUN);
        assertThat(database.jobs().find("orders", "a")).isEmpty();
    }

    @Test
    void doesNotKnowWhatIsStoredIfTheCommitFails() {
        assertThat(failed(2)).isEqualTo(Kind.UNKNOWN);
        assertThat(database.jobs().find("orders", "a")).isEmpty();
        assertThat(failed(3)).isEqualTo(Kind.UNKNOWN);
        assertThat(database.jobs().find("orders", "a")).isPresent();
    }
}

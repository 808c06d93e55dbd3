package io.delayjob.journal.internal.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.EndedQuery;
import io.delayjob.IndexedValue;
import io.delayjob.JobState;
import io.delayjob.TimeRange;
import io.delayjob.engine.extension.EndedJobs;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.EndedTable;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.Status;
import io.delayjob.testing.Variants;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;

@Tag(Variants.TAG)
@ParameterizedClass
@MethodSource("io.delayjob.journal.database.TestDatabase#variants")
class EndedJobsIT {

    private static final EndedQuery ALL = EndedQuery.of("orders");
    private static final EndedJobs.Marks NO_MARKS = new EndedJobs.Marks(null, null);
    private static final String RED = "red-------a";
    private static final String BLUE = "blue------_";

    @Parameter
    @SuppressWarnings("NullAway.Init")
    TestDatabase kind;

    private HikariDataSource source;
    private Database database;
    private SqlJournaledJobs jobs;

    @BeforeEach
    void open() {
        source = kind.prepared();
        database = Database.of(source, "test");
        jobs = new SqlJournaledJobs(database, "orders"::equals, 0);
    }

    @AfterEach
    void close() {
        jobs.close();
        source.close();
    }

    private static JobRow row(
            String id, JobState state, @Nullable Long finishedAt, String node, @Nullable String error) {
        return row("orders", id, "close", "{\"order\":\"" + id + "\"}", state, finishedAt, node, error);
    }

    private static JobRow row(
            String queue,
            String id,
            String topic,
            String param,
            JobState state,
            @Nullable Long finishedAt,
            String node,
            @Nullable String error) {
        JobContent content = JobContent.of("\"job\":\"" + topic + "\",\"param\":" + param + "}");
        Status status = new Status(
                finishedAt == null,
                state,
                2,
                finishedAt == null ? 5 : finishedAt - 10,
                false,
                null,
                node,
                error,
                state == JobState.COMPLETED ? "{\"sum\":12345678901234567890}" : null,
                1,
                finishedAt);
        return new JobRow(0, new ShardId(queue, 0), id, content, 1, status, null);
    }

    private void add(JobRow... rows) {
        database.jobs().add(List.of(rows));
    }

    /** In these tests, the value of an index is its mark. */
    private static EndedJobs.Marks marks(EndedQuery query) {
        return query.indexed() == null
                ? NO_MARKS
                : new EndedJobs.Marks(null, query.indexed().value());
    }

    private static EndedQuery having(String mark) {
        return ALL.withIndexed(new IndexedValue("word", mark));
    }

    private static JobRow marked(String id, @Nullable Long finishedAt, String... marks) {
        String index = "1,\"index\":\"" + String.join("", marks) + "\"";
        return row("orders", id, "close", index, JobState.COMPLETED, finishedAt, "host-1", null);
    }

    private int rowsOfMarks() {
        return Objects.requireNonNull(
                new JdbcTemplate(source).queryForObject("SELECT COUNT(*) FROM delayjob_mark", Integer.class));
    }

    private List<String> ids(EndedQuery query) {
        List<String> ids = new ArrayList<>();
        String cursor = null;
        do {
            EndedJobs page = jobs.ended(query.after(cursor), marks(query)).join();
            page.jobs().forEach(entry -> ids.add(entry.id()));
            cursor = page.next();
        } while (cursor != null);
        return ids;
    }

    @Test
    void answersTheLastOnesFirstAndNoOthers() {
        add(
                row("a", JobState.COMPLETED, 100L, "n1", null),
                row("b", JobState.CANCELLED, 300L, "n1", null),
                row("c", JobState.DEAD, 200L, "n1", "boom"),
                row("waits", JobState.DELAYED, null, "n1", null),
                row("others", "d", "close", "1", JobState.COMPLETED, 100L, "n1", null));

        assertThat(ids(ALL)).containsExactly("b", "c", "a");
        StoredJob a =
                jobs.ended(ALL.withIdPrefix("a"), NO_MARKS).join().jobs().get(0).job();
        assertThat(a.state()).isEqualTo(JobState.COMPLETED);
        assertThat(a.atMillis()).isEqualTo(100);
        assertThat(a.attempt().number()).isEqualTo(2);
        assertThat(a.attempt().dueMillis()).isEqualTo(90L);
        assertThat(a.record()).isEqualTo("{\"v\":1,\"at\":1,\"job\":\"close\",\"param\":{\"order\":\"a\"}}");
        assertThat(a.result()).isEqualTo("{\"sum\":12345678901234567890}");
        assertThat(a.node()).isEqualTo("n1");
    }

    @Test
    void narrowsByWhateverIsKnownOfAJob() {
        add(
                row("a_1", JobState.COMPLETED, 100L, "host-1", null),
                row("a%1", JobState.CANCELLED, 200L, "host-2", "java.io.IOException: Timed OUT"),
                row("orders", "b", "mail", "{\"total\":4200}", JobState.COMPLETED, 300L, "host-11", null));

        assertThat(ids(ALL.withStates(Set.of(JobState.CANCELLED, JobState.DEAD))))
                .containsExactly("a%1");
        assertThat(ids(ALL.withNode("host-1"))).containsExactly("b", "a_1");
        assertThat(ids(ALL.withNode("host_1"))).isEmpty();
        assertThat(ids(ALL.withError("timed out"))).containsExactly("a%1");
        assertThat(ids(ALL.withText("\"total\":4200"))).containsExactly("b");
        assertThat(ids(ALL.withText("a%1"))).containsExactly("a%1");
        assertThat(ids(ALL.withEnded(new TimeRange(Instant.ofEpochMilli(200), Instant.ofEpochMilli(300)))))
                .containsExactly("a%1");
        assertThat(ids(ALL.withDue(new TimeRange(Instant.ofEpochMilli(190), null))))
                .containsExactly("b", "a%1");
        assertThat(jobs.ended(ALL, new EndedJobs.Marks("\"job\":\"mail\",", null))
                        .join()
                        .jobs())
                .extracting(Listing.Entry::id)
                .containsExactly("b");
    }

    @Test
    void findsTheJobsWithAMarkTheLastSubmittedFirst() {
        add(
                marked("first", 300L, RED, BLUE),
                marked("waits", null, RED),
                row("without", JobState.COMPLETED, 100L, "n", null),
                marked("second", 100L, RED),
                marked("other", 100L, BLUE));
        add(row("others", "d", "close", "1,\"index\":\"" + RED + "\"", JobState.COMPLETED, 100L, "n", null));

        assertThat(ids(having(RED))).containsExactly("second", "first");
        assertThat(ids(having(BLUE))).containsExactly("other", "first");
        assertThat(ids(having("green-----9"))).isEmpty();
        assertThat(ids(having(RED).withIdPrefix("f"))).containsExactly("first");
        assertThat(ids(having(RED).withEnded(new TimeRange(null, Instant.ofEpochMilli(200)))))
                .containsExactly("second");
    }

    @Test
    void findsAJobByTheMarksOfItsLastContentAlone() {
        add(marked("a", null, RED));
        JobRow before = database.jobs().unfinished("orders", List.of("a")).get(0);
        JobRow after = marked("a", null, BLUE);
        database.jobs()
                .saveContent(List.of(new JobRow(
                        before.seq(),
                        before.shard(),
                        "a",
                        after.content(),
                        before.createdAt(),
                        before.status(),
                        null)));
        new JdbcTemplate(source).update("UPDATE delayjob_job SET finished_at = 5, live = NULL");

        assertThat(ids(having(BLUE))).containsExactly("a");
        assertThat(ids(having(RED))).isEmpty();
    }

    @Test
    void pagesOfAMarkHaveEachJobOnce() {
        int count = EndedTable.EXAMINED + 10;
        add(IntStream.range(0, count)
                .mapToObj(n -> marked("job-" + n, n == 7 ? null : (Long) 100L, RED))
                .toArray(JobRow[]::new));

        List<String> found = ids(having(RED));
        assertThat(found).hasSize(count - 1).doesNotHaveDuplicates().doesNotContain("job-7");
        assertThat(found).startsWith("job-" + (count - 1)).endsWith("job-0");
    }

    @Test
    void marksGoWithTheirRow() {
        add(marked("old", 100L, RED, BLUE), marked("new", 900L, RED));
        assertThat(rowsOfMarks()).isEqualTo(3);
        database.jobs().removeFinished(500, 10);
        assertThat(rowsOfMarks()).isEqualTo(1);
        assertThat(ids(having(RED))).containsExactly("new");
    }

    @Test
    void findsIdsByTheirBeginningInTheirOrderAndTheLastJobOfAnIdFirst() {
        add(
                row("order-1", JobState.COMPLETED, 500L, "n", null),
                row("order-10", JobState.COMPLETED, 100L, "n", null),
                row("order-1é", JobState.COMPLETED, 100L, "n", null),
                row("Order-1", JobState.COMPLETED, 100L, "n", null),
                row("order-2", JobState.COMPLETED, 100L, "n", null),
                row("order-1", JobState.CANCELLED, 600L, "n", null),
                row("order-11", JobState.DELAYED, null, "n", null));

        assertThat(ids(ALL.withIdPrefix("order-1"))).containsExactly("order-1", "order-1", "order-10", "order-1é");
        assertThat(jobs.ended(ALL.withIdPrefix("order-1"), NO_MARKS)
                        .join()
                        .jobs()
                        .get(0)
                        .job()
                        .state())
                .isEqualTo(JobState.CANCELLED);
        assertThat(ids(ALL.withIdPrefix("order-1é"))).containsExactly("order-1é");
        assertThat(ids(ALL.withIdPrefix("order-11"))).isEmpty();
        assertThat(database.jobs().queuesOf("order-10", Set.of("orders", "mail")))
                .containsExactly("orders");
    }

    @Test
    void goesOnWithoutLeavingOutOrRepeatingAJobAndSaysHowFarItLooked() {
        int count = EndedTable.EXAMINED + 700;
        // Many end in one millisecond.
        add(IntStream.range(0, count)
                .mapToObj(number -> row("job-" + number, JobState.COMPLETED, 1000L + number / 900, "n", null))
                .toArray(JobRow[]::new));

        for (EndedQuery query : List.of(ALL, ALL.withIdPrefix("job-"))) {
            List<String> ids = ids(query);
            assertThat(ids).hasSize(count).doesNotHaveDuplicates();
            assertThat(ids.subList(0, 3))
                    .isEqualTo(
                            query.idPrefix() == null
                                    ? List.of("job-" + (count - 1), "job-" + (count - 2), "job-" + (count - 3))
                                    : List.of("job-0", "job-1", "job-10"));
        }
        EndedJobs none = jobs.ended(ALL.withText("nowhere"), NO_MARKS).join();
        assertThat(none.jobs()).isEmpty();
        assertThat(none.examined()).isEqualTo(EndedTable.EXAMINED);
        EndedJobs rest =
                jobs.ended(ALL.withText("nowhere").after(none.next()), NO_MARKS).join();
        assertThat(rest.examined()).isEqualTo(700);
        assertThat(rest.next()).isNull();
    }

    @Test
    void refusesACursorOfAnotherSearch() {
        assertThatThrownBy(() -> jobs.ended(ALL.after("iorder-1"), NO_MARKS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'iorder-1'");
        assertThatThrownBy(() -> jobs.ended(ALL.withIdPrefix("o").after("t1:2"), NO_MARKS))
                .hasMessageContaining("'t1:2'");
    }
}

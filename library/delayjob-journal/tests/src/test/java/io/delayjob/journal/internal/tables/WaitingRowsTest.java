package io.delayjob.journal.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.database.Submissions;
import io.delayjob.journal.database.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** However many jobs wait, also for one time, no query that is made all the time reads their rows on H2, which says how many it reads. */
class WaitingRowsTest {

    private static final ShardId SHARD = new ShardId("orders", 0);
    private static final int WAITING = 4000;
    private static final int ASKED = 20;

    private HikariDataSource source;
    private Explained explained;
    private Database database;

    @BeforeEach
    void open() {
        source = TestDatabase.H2_MEMORY.prepared();
        explained = new Explained(source);
        database = Database.of(explained, "test");
        database.shards().enlist(SHARD);
        database.submits()
                .add(IntStream.range(0, WAITING)
                        .mapToObj(number -> far("waits-" + number))
                        .toList());
    }

    @AfterEach
    void close() {
        source.close();
    }

    private static Submission far(String id) {
        NewJob job = new NewJob(id, new NewJob.Due(4_000_000_000_000L, false), JobContent.of("}"));
        return Submissions.of(SHARD, job, 3_600_000L);
    }

    @Test
    void noQueryReadsThem() {
        List<String> ids = IntStream.range(0, ASKED).mapToObj(i -> "waits-" + i).toList();
        List<Submission> again = ids.stream().map(WaitingRowsTest::far).toList();
        Map<String, Runnable> queries = new LinkedHashMap<>();
        queries.put("due", () -> database.relays().due(SHARD, Long.MAX_VALUE, ASKED));
        queries.put("with due", () -> database.shards().withDue(Long.MAX_VALUE));
        queries.put("unrelayed", () -> database.relays().unrelayed(List.of(1L, 2L, 3L)));
        queries.put("unfinished", () -> database.jobs().unfinished("orders", ids));
        queries.put("ended", () -> database.jobs().ended("orders", ids));
        queries.put("find", () -> database.jobs().find("orders", "waits-7"));
        queries.put("live", () -> database.jobs().liveIds(SHARD, 0, ASKED));
        queries.put("held", () -> database.relays().held(SHARD, null, ASKED));
        queries.put("doubtful", () -> database.submits().doubtful(again));
        queries.put("submit", () -> database.submits().add(again));
        queries.forEach((name, query) -> {
            assertThat(read(query)).as("rows read by: " + name).isLessThanOrEqualTo(5L * ASKED);
        });
    }

    @Test
    void aQueryThatReadsThemIsNoticed() {
        assertThat(read(() -> database.relays().waitingWithoutId(SHARD))).isGreaterThanOrEqualTo(WAITING);
    }

    private long read(Runnable query) {
        explained.rows = 0;
        query.run();
        return explained.rows;
    }

    /** Counts the rows that its queries read. */
    private static final class Explained extends DelegatingDataSource {

        private static final Pattern READ = Pattern.compile("scanCount: (\\d+)");

        private long rows;

        Explained(DataSource database) {
            super(database);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection real = super.getConnection();
            return proxy(Connection.class, (method, values) -> {
                Object answer = call(real, method, values);
                return answer instanceof PreparedStatement query
                                && values[0] instanceof String sql
                                && sql.startsWith("SELECT")
                        ? explaining(query, real.prepareStatement("EXPLAIN ANALYZE " + sql))
                        : answer;
            });
        }

        private PreparedStatement explaining(PreparedStatement query, PreparedStatement plan) {
            return proxy(PreparedStatement.class, (method, values) -> {
                if (method.getName().equals("executeQuery")) {
                    read(plan);
                } else if (method.getName().startsWith("set") && values.length > 1) {
                    call(plan, method, values);
                }
                return call(query, method, values);
            });
        }

        private void read(PreparedStatement plan) throws SQLException {
            try (ResultSet told = plan.executeQuery()) {
                told.next();
                Matcher read = READ.matcher(told.getString(1));
                while (read.find()) {
                    rows += Long.parseLong(read.group(1));
                }
            }
        }

        @FunctionalInterface
        private interface Handler {
            Object handle(Method method, Object[] values) throws Throwable;
        }

        private static <T> T proxy(Class<T> type, Handler handler) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(),
                    new Class<?>[] {type},
                    (self, method, values) -> handler.handle(method, values == null ? new Object[0] : values)));
        }

        private static Object call(Object target, Method method, Object[] values) throws Throwable {
            try {
                return method.invoke(target, values);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }
}

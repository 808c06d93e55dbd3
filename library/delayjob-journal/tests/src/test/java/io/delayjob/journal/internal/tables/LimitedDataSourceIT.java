package io.delayjob.journal.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.testing.Variants;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

@Tag(Variants.TAG)
class LimitedDataSourceIT {

    static Stream<TestDatabase> servers() {
        return Stream.of(TestDatabase.POSTGRESQL, TestDatabase.MARIADB);
    }

    private static String sleep(TestDatabase kind) {
        return kind.equals(TestDatabase.POSTGRESQL) ? "SELECT pg_sleep(300)" : "SELECT SLEEP(300)";
    }

    @Tag("proof")
    @ParameterizedTest
    @MethodSource("servers")
    void aCallOfADatabaseThatDoesNotAnswerFails(TestDatabase kind) {
        try (HikariDataSource pool = kind.fresh()) {
            JdbcTemplate limited = new JdbcTemplate(new LimitedDataSource(pool, Duration.ofMillis(300)));
            assertThatThrownBy(() -> limited.execute(sleep(kind))).isInstanceOf(DataAccessException.class);
            JdbcTemplate patient = new JdbcTemplate(new LimitedDataSource(pool, Duration.ofMinutes(2)));
            assertThat(patient.queryForObject("SELECT 1", Integer.class)).isEqualTo(1);
        }
    }

    @Tag("proof")
    @ParameterizedTest
    @MethodSource("servers")
    void theLimitEndsWithTheUseOfTheConnection(TestDatabase kind) throws SQLException {
        try (HikariDataSource pool = kind.fresh();
                Connection only = pool.getConnection()) {
            SingleConnectionDataSource shared = new SingleConnectionDataSource(only, true);
            LimitedDataSource limited = new LimitedDataSource(shared, Duration.ofSeconds(7));
            only.setNetworkTimeout(Runnable::run, 60_000);
            try (Connection used = limited.getConnection()) {
                assertThat(used.getNetworkTimeout()).isEqualTo(7_000);
            }
            assertThat(only.getNetworkTimeout()).isEqualTo(60_000);
            only.setNetworkTimeout(Runnable::run, 2_000);
            try (Connection used = limited.getConnection()) {
                assertThat(used.getNetworkTimeout()).as("a shorter limit stays").isEqualTo(2_000);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.delayjob.journal.database.TestDatabase#variants")
    void aConnectionIsWhatItWas(TestDatabase kind) throws SQLException {
        try (HikariDataSource pool = kind.fresh();
                Connection used = new LimitedDataSource(pool, Duration.ofSeconds(7)).getConnection()) {
            assertThat(used.getAutoCommit()).isTrue();
            assertThatThrownBy(() ->
                            used.prepareStatement("SELECT nothing FROM nowhere").executeQuery())
                    .isInstanceOf(SQLException.class);
        }
    }
}

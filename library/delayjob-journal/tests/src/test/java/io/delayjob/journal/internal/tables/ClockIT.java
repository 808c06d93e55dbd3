package io.delayjob.journal.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.testing.Variants;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** The database's clock, in sessions of several time zones, and at times that a session pretends. */
@Tag(Variants.TAG)
@ParameterizedClass
@MethodSource("io.delayjob.journal.database.TestDatabase#variants")
class ClockIT {

    /** MariaDB knows names of zones only from tables that are not there, but its server runs in Berlin's. */
    private static final List<String> ZONES = List.of("+13:00", "-08:00", "+00:00", "Europe/Berlin");

    @Parameter
    @SuppressWarnings("NullAway.Init")
    TestDatabase kind;

    private HikariDataSource pool;
    private JdbcTemplate jdbc;
    private Dialect dialect;

    @BeforeEach
    void open() throws SQLException {
        pool = kind.prepared();
        dialect = Dialect.of(pool);
        jdbc = new JdbcTemplate(new SingleConnectionDataSource(pool.getConnection(), true));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private long now() {
        return dialect.readNow(JdbcClient.create(jdbc));
    }

    private void zone(String name) {
        jdbc.execute(
                switch (dialect) {
                    case H2, POSTGRESQL -> "SET TIME ZONE '" + name + "'";
                    case MARIADB, MYSQL -> "SET time_zone = '" + (name.equals("Europe/Berlin") ? "SYSTEM" : name) + "'";
                });
    }

    @Test
    void isThatOfTheWorldInEveryTimeZone() {
        for (String zone : ZONES) {
            zone(zone);
            long before = System.currentTimeMillis();
            assertThat(now()).as(zone).isBetween(before - 1, System.currentTimeMillis() + 1);
        }
    }

    /** Around both changes of 2026, by quarters of an hour. */
    private static Stream<Instant> changes() {
        return Stream.of("2026-03-29T01:00", "2026-10-25T01:00")
                .map(LocalDateTime::parse)
                .map(change -> change.toInstant(ZoneOffset.UTC))
                .flatMap(change ->
                        LongStream.rangeClosed(-12, 12).mapToObj(quarter -> change.plusSeconds(900 * quarter - 1)));
    }

    @Test
    void goesOnEvenlyOverBothChangesOfTheYear() {
        if (dialect == Dialect.H2) {
            // Its clock is that of Java, which counts from 1970 by UTC.
            assertThat(jdbc.queryForObject(
                            "SELECT DATA_TYPE FROM INFORMATION_SCHEMA.ROUTINES WHERE ROUTINE_NAME = 'DELAYJOB_NOW_MS'"
                                    + " AND EXTERNAL_NAME = 'java.lang.System.currentTimeMillis'",
                            String.class))
                    .isEqualTo("BIGINT");
            return;
        }
        begin();
        for (String zone : ZONES) {
            zone(zone);
            changes().forEach(time -> {
                pretend(time);
                assertThat(now()).as("%s in %s", time, zone).isEqualTo(time.toEpochMilli());
            });
        }
        assertThat(changes()
                        .filter(time -> time.atZone(ZoneId.of("Europe/Berlin")).getHour() == 2))
                .as("times of the hour that comes twice")
                .hasSize(8);
    }

    /** PostgreSQL has no session that pretends a time; a function of the same name goes before its own. */
    private void begin() {
        if (dialect == Dialect.POSTGRESQL) {
            jdbc.execute("CREATE SCHEMA pretended");
            jdbc.execute("CREATE FUNCTION pretended.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS"
                    + " 'SELECT to_timestamp(current_setting(''pretended.now'')::double precision)'");
            jdbc.execute("SET search_path = pretended, pg_catalog, public");
        }
    }

    private void pretend(Instant time) {
        jdbc.execute(
                dialect == Dialect.POSTGRESQL
                        ? "SET pretended.now = '" + time.getEpochSecond() + "'"
                        : "SET timestamp = " + time.getEpochSecond());
    }
}

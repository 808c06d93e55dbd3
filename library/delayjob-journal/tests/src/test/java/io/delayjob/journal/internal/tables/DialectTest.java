package io.delayjob.journal.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DialectTest {

    @Test
    void takesMariaDbAndMySqlFromTheirFirstVersionsOn() {
        assertThat(Dialect.mysql("MariaDB", "10.6.0-MariaDB")).isEqualTo(Dialect.MARIADB);
        assertThat(Dialect.mysql("MariaDB", "11.8.3-MariaDB-ubu2404")).isEqualTo(Dialect.MARIADB);
        assertThat(Dialect.mysql("MySQL", "5.5.5-10.11.2-MariaDB")).isEqualTo(Dialect.MARIADB);
        assertThat(Dialect.mysql("MySQL", "8.0.17")).isEqualTo(Dialect.MYSQL);
        assertThat(Dialect.mysql("MySQL", "9.1.0-commercial")).isEqualTo(Dialect.MYSQL);
    }

    @ParameterizedTest
    @CsvSource({
        "MariaDB, 10.5.27-MariaDB, MariaDB",
        "MySQL, 5.5.5-10.5.2-MariaDB, MariaDB",
        "MySQL, 8.0.16, MySQL",
        "MySQL, 5.7.44-log, MySQL"
    })
    void refusesOlderOnes(String product, String version, String named) {
        assertThatThrownBy(() -> Dialect.mysql(product, version))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(
                        "MariaDB 10.6 or newer and MySQL 8.0.17 or newer, not with " + named + " " + version);
    }

    @Test
    void refusesAnotherKindOfDatabase() throws SQLException {
        DataSource oracle = mock(DataSource.class, RETURNS_DEEP_STUBS);
        when(oracle.getConnection().getMetaData().getDatabaseProductName()).thenReturn("Oracle");

        assertThatThrownBy(() -> Dialect.of(oracle))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(
                        "not with Oracle", "delayjob.journal.data-source", "delayjob.journal.mode=off");
    }
}

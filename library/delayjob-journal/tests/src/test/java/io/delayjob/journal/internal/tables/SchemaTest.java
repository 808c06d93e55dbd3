package io.delayjob.journal.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.journal.database.TestDatabase;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.flywaydb.core.api.MigrationVersion;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.core.JdbcTemplate;

class SchemaTest {

    @Test
    void namesEachMigrationThatThereIs() throws Exception {
        Set<String> files = Arrays.stream(new PathMatchingResourcePatternResolver()
                        .getResources("classpath:io/delayjob/journal/db/*/*.sql"))
                .map(file -> file.getFilename())
                .collect(Collectors.toSet());
        Set<String> named = Arrays.stream(Dialect.values())
                .flatMap(dialect -> dialect.migrations().getResources("V", new String[] {".sql"}).stream())
                .map(script -> script.getFilename())
                .collect(Collectors.toSet());
        assertThat(named).isEqualTo(files);
        assertThat(files.stream()
                        .map(file -> MigrationVersion.fromVersion(file.substring(1, file.indexOf("__"))))
                        .max(Comparator.naturalOrder()))
                .hasValue(MigrationVersion.fromVersion(Dialect.VERSION));
    }

    /** Flyway says that it was successful when it finds no migrations. */
    @Test
    void refusesToStartWhereNothingWasMade() {
        try (HikariDataSource database = TestDatabase.H2_MEMORY.fresh()) {
            Schema none = new Schema(database, Dialect.H2, new Migrations(List.of()), true);
            assertThatThrownBy(none::prepare)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("must be of version 1.11", "says none", "delayjob_schema_history");
            new JdbcTemplate(database).execute("CREATE TABLE theirs (a INT)");
            assertThatThrownBy(none::prepare).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void namesAMigrationThatTheJarLacks() {
        try (HikariDataSource database = TestDatabase.H2_MEMORY.fresh()) {
            Schema lacking = new Schema(database, Dialect.H2, new Migrations(List.of("all/V1_12__gone.sql")), true);
            assertThatThrownBy(lacking::prepare).hasMessageContaining("db/all/V1_12__gone.sql");
        }
    }
}

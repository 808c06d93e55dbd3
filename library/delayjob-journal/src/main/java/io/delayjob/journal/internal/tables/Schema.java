package io.delayjob.journal.internal.tables;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** The tables' version. It has a history of its own, so that it and an application's migrations do not disturb each other. */
public final class Schema {

    /** The table in which Flyway keeps which migrations were made. */
    static final String HISTORY = "delayjob_schema_history";

    private final Flyway flyway;
    private final boolean migrate;

    /**
     * The schema of a database.
     *
     * @param migrate whether to make or change the tables; if false, they must be there
     */
    public Schema(DataSource database, Dialect dialect, boolean migrate) {
        this(database, dialect, dialect.migrations(), migrate);
    }

    Schema(DataSource database, Dialect dialect, Migrations migrations, boolean migrate) {
        FluentConfiguration flyway = Flyway.configure(Schema.class.getClassLoader())
                .dataSource(database)
                .table(HISTORY)
                .resourceProvider(migrations)
                .javaMigrationClassProvider(List::of)
                .placeholders(dialect.placeholders())
                // The database may have tables of others.
                .baselineOnMigrate(true)
                .baselineVersion("0");
        this.flyway = flyway.load();
        this.migrate = migrate;
    }

    /**
     * Brings the tables to this release's version.
     *
     * @throws IllegalStateException if they are of a newer release, or lack something and must not be changed; the message says what
     *     to do
     */
    public void prepare() {
        refuseNewer();
        if (migrate) {
            flyway.migrate();
        } else {
            refuseOlder();
        }
        refuseOther();
    }

    /** Refuses to start unless the tables are of this release now, whether or not this node has migrated them. */
    private void refuseOther() {
        MigrationInfo current = flyway.info().current();
        String version = current == null || current.getVersion() == null
                ? "none"
                : current.getVersion().getVersion();
        if (!version.equals(Dialect.VERSION)) {
            throw new IllegalStateException("the journal's tables must be of version " + Dialect.VERSION + ", and "
                    + HISTORY + " says " + version
                    + ": make the migrations of io/delayjob/journal/db in delayjob-journal's jar, or run this node with the"
                    + " release that made them");
        }
    }

    private void refuseNewer() {
        String newer = Arrays.stream(flyway.info().all())
                .filter(migration -> migration.getState() == MigrationState.FUTURE_SUCCESS
                        || migration.getState() == MigrationState.FUTURE_FAILED)
                .map(Schema::name)
                .collect(Collectors.joining(", "));
        if (!newer.isEmpty()) {
            throw new IllegalStateException("the journal's tables are of a newer release of delayjob: " + HISTORY
                    + " has " + newer + ", which this release does not know; run this node with that release");
        }
    }

    private void refuseOlder() {
        String missing =
                Arrays.stream(flyway.info().pending()).map(Schema::name).collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            throw new IllegalStateException("the journal's tables lack " + missing
                    + ", and delayjob.journal.migrate=false: make the migrations of io/delayjob/journal/db in delayjob-journal's"
                    + " jar with Flyway, table " + HISTORY + ", or let this node make them");
        }
    }

    private static String name(MigrationInfo migration) {
        return "version " + migration.getVersion() + " (" + migration.getDescription() + ")";
    }
}

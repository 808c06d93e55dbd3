package io.delayjob.server.app;

import io.delayjob.embedded.PrivateFiles;
import io.delayjob.embedded.autoconfigure.RedisLocation;
import io.delayjob.journal.autoconfigure.OnJournal;
import io.delayjob.spring.InvalidConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Whether the program keeps a journal, and where. It does if it is asked to, by a mode or by a database. The database is the one that
 * {@code spring.datasource.url} names; beside a Redis of the program's own it may also be a file of its own. A program that keeps no journal
 * opens no database.
 */
public final class JournalDatabase implements EnvironmentPostProcessor, Ordered {

    private static final String URL = "spring.datasource.url";
    private static final String FILE = "journal";
    private static final String DATA = ".mv.db";

    /** Commits are in the file before they are answered, and the application closes it, not the JVM in the middle of the application's stop. */
    private static final String SETTINGS = ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        boolean named = environment.containsProperty(URL);
        if (!named) {
            addDefault(environment, "delayjob.journal.mode", "off");
        }
        if (!OnJournal.matches(environment)) {
            addDefault(environment, "spring.autoconfigure.exclude", DataSourceAutoConfiguration.class.getName());
        } else if (!named) {
            addDefault(environment, URL, file(environment));
        }
    }

    private static String file(ConfigurableEnvironment environment) {
        if (!RedisLocation.isOwn(environment)) {
            throw new InvalidConfigurationException(
                    "a queue is to have a journal, and its database is not named: set " + URL
                            + " (jdbc:postgresql://…, jdbc:mariadb://…) to one that all servers of this Redis use. A file of its own is only"
                            + " for a server with a Redis of its own",
                    null);
        }
        Path folder = Path.of(environment.getRequiredProperty("embedded-redis.folder"));
        return "jdbc:h2:file:" + closed(folder).resolve(FILE) + SETTINGS;
    }

    /** The folder, where nobody else can read the file of the database: H2 opens one that is empty as it makes a new one. */
    private static Path closed(Path folder) {
        try {
            Path closed = PrivateFiles.folder(folder);
            var unused = PrivateFiles.file(closed.resolve(FILE + DATA));
            return closed;
        } catch (IOException e) {
            throw new InvalidConfigurationException(
                    "the folder %s of the journal cannot be used: %s; name another one by embedded-redis.folder"
                            .formatted(folder, e),
                    null);
        }
    }

    private static void addDefault(ConfigurableEnvironment environment, String name, String value) {
        environment.getPropertySources().addLast(new MapPropertySource("default of " + name, Map.of(name, value)));
    }

    /** When all files of properties have been read. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}

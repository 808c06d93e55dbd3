package io.delayjob.journal.internal.tables;

import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.flywaydb.core.api.ResourceProvider;
import org.flywaydb.core.api.resource.LoadableResource;
import org.jspecify.annotations.Nullable;

/**
 * The migrations, by their names. Flyway is not left to look for them: in a jar that was packed anew without entries for its folders, it
 * finds none, and reports success.
 *
 * @param paths below {@code io/delayjob/journal/db}
 */
record Migrations(List<String> paths) implements ResourceProvider {

    private static final String FOLDER = "io/delayjob/journal/db/";

    /** Flyway also asks for settings beside each migration. There are none. */
    @Override
    public @Nullable LoadableResource getResource(String name) {
        return paths.stream()
                .map(path -> new Script(FOLDER + path))
                .filter(script -> script.path.equals(name))
                .findFirst()
                .orElse(null);
    }

    @Override
    public Collection<LoadableResource> getResources(String prefix, String[] suffixes) {
        return paths.stream()
                .<LoadableResource>map(path -> new Script(FOLDER + path))
                .filter(script -> script.getFilename().startsWith(prefix))
                .filter(script -> Arrays.stream(suffixes).anyMatch(script.getFilename()::endsWith))
                .toList();
    }

    /** One of them, beside this class. */
    private static final class Script extends LoadableResource {

        private final String path;

        Script(String path) {
            this.path = path;
        }

        @Override
        public Reader read() {
            InputStream script = Migrations.class.getClassLoader().getResourceAsStream(path);
            if (script == null) {
                throw new IllegalStateException("delayjob-journal's jar lacks " + path
                        + ": pack the application with all of the jar's resources");
            }
            return new InputStreamReader(script, StandardCharsets.UTF_8);
        }

        @Override
        public String getAbsolutePath() {
            return path;
        }

        @Override
        public String getAbsolutePathOnDisk() {
            return path;
        }

        @Override
        public String getFilename() {
            return path.substring(path.lastIndexOf('/') + 1);
        }

        @Override
        public String getRelativePath() {
            return path;
        }
    }
}

package io.delayjob.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client in {@code clients/typescript}, as its package is installed. */
class TypeScriptClientIT extends ConformanceCases {

    private static final Path SOURCES = ROOT.resolve("clients/typescript");

    private static final String EXAMPLE = "examples/worker.mjs";

    @TempDir
    private static Path application;

    @Override
    Optional<String> obstacle() {
        boolean runs = programThat("node", "-e", "process.exit(+(parseInt(process.versions.node) < 18))")
                        .isPresent()
                && programThat("npm", "--version").isPresent();
        if (!runs) {
            return Optional.of("node 18 or newer and npm are not on the PATH, so the TypeScript client is not tested");
        }
        // The compiler comes from there; the client itself needs nothing.
        return programThat("npm", "ping", "--fetch-retries", "1").isPresent()
                ? Optional.empty()
                : Optional.of("npm cannot reach its registry, so the TypeScript client is not tested");
    }

    @Override
    void install() throws Exception {
        run(SOURCES, "npm", "ci", "--no-audit", "--no-fund");
        run(SOURCES, "npm", "run", "build");
        run(SOURCES, "npm", "pack", "--silent", "--pack-destination", application.toString());
        Files.writeString(application.resolve("package.json"), "{\"private\": true}");
        run(application, "npm", "install", "--offline", "--no-audit", "--no-fund", "./delayjob-0.1.0.tgz");
        Files.copy(Path.of("src/test/drivers/driver.mjs"), application.resolve("driver.mjs"));
        Files.copy(SOURCES.resolve(EXAMPLE), application.resolve("worker.mjs"));
    }

    @Override
    Driver driver() throws IOException {
        return Driver.start(application, Map.of(), List.of("node", "driver.mjs"));
    }

    @Test
    void itsOwnTestsPass() throws Exception {
        assertThat(run(SOURCES, "npm", "test")).contains("# fail 0");
    }

    @Test
    @Override
    void findsAndCancelsJobs() throws Exception {
        super.findsAndCancelsJobs();
    }

    @Test
    void runsTheExample() throws Exception {
        runsTheExample(SOURCES, EXAMPLE, application, Map.of(), "node", "worker.mjs");
    }
}

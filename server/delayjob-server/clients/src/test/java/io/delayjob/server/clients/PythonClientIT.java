package io.delayjob.server.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client in {@code clients/python}. */
class PythonClientIT extends ConformanceCases {

    private static final Path SOURCES = ROOT.resolve("clients/python");

    private final Optional<Path> found =
            programThat("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))");
    private final String python = found.map(Path::toString).orElse("");

    @Override
    Optional<String> obstacle() {
        return found.isPresent()
                ? Optional.empty()
                : Optional.of("no python3 of 3.11 or newer is on the PATH, so the Python client is not tested");
    }

    @Override
    Driver driver() throws IOException {
        return Driver.start(
                Path.of("src/test/drivers"),
                Map.of("PYTHONPATH", SOURCES.resolve("src").toString(), "PYTHONDONTWRITEBYTECODE", "1"),
                List.of(python, "driver.py"));
    }

    @Test
    void itsOwnTestsPass() throws Exception {
        assertThat(run(SOURCES, Map.of("PYTHONPATH", "src"), python, "-B", "-m", "unittest", "discover", "-s", "tests"))
                .contains("OK");
    }

    @Test
    @Override
    void findsAndCancelsJobs() throws Exception {
        super.findsAndCancelsJobs();
    }

    @Test
    void aWheelIsBuiltWithoutNetwork(@TempDir Path folder) throws Exception {
        Optional<Path> builder = programThat("python3", "-c", "import setuptools.build_meta, wheel");
        assumeTrue(builder.isPresent(), "no python3 on the PATH has setuptools and wheel, so no wheel is built");
        run(ROOT, "cp", "-r", SOURCES.toString(), folder.resolve("sources").toString());
        String build = "from setuptools import build_meta; print('built', build_meta.build_wheel('..'))";
        Path sources = folder.resolve("sources");

        assertThat(run(sources, builder.get().toString(), "-c", build))
                .contains("built delayjob-0.1.0-py3-none-any.whl");

        Path wheel = folder.resolve("delayjob-0.1.0-py3-none-any.whl");
        run(folder, python, "-m", "zipfile", "-e", wheel.toString(), "installed");
        String use = "import delayjob, os; print(os.path.dirname(delayjob.__file__), delayjob.Worker)";
        assertThat(run(folder.resolve("installed"), python, "-c", use))
                .contains("installed")
                .contains("delayjob.worker.Worker");
    }

    @Test
    void runsTheExample() throws Exception {
        runsTheExample(
                SOURCES,
                "examples/worker.py",
                SOURCES,
                Map.of("PYTHONPATH", "src"),
                python,
                "-B",
                "examples/worker.py");
    }
}

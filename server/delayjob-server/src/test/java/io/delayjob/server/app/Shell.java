package io.delayjob.server.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs the examples of a page as people do.
 *
 * @param folder where they run
 * @param variables of their environment
 */
record Shell(Path folder, Map<String, String> variables) {

    /** Skips a test, and prints why, if this machine lacks a program that an example of a page needs. */
    static void needs(String page, String... programs) {
        for (String program : programs) {
            boolean found = List.of(System.getenv("PATH").split(":", -1)).stream()
                    .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
            if (!found) {
                System.out.println(
                        "skipped: an example of " + page + " needs " + program + ", which is not on the PATH");
            }
            assumeThat(found).as("%s is on the PATH", program).isTrue();
        }
    }

    /** Runs a command, which must succeed, and returns what it prints. */
    String run(String... command) throws IOException, InterruptedException {
        Process process = process(command).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }

    /** A command, not begun. */
    ProcessBuilder process(String... command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(variables);
        return builder;
    }
}

package io.delayjob.coexistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.coexistence.host.HostApplication;
import io.delayjob.testing.JarProcess;
import io.delayjob.testing.RedisServer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.springframework.util.StringUtils;

/** A {@link HostApplication} that was started on a class path, and what it printed. */
record Host(List<String> lines) {

    private static final Path MODULE = Path.of("").toAbsolutePath();

    /** The class path of an application without delayjob. */
    static List<String> alone() {
        return classpath(MODULE.resolve("host"));
    }

    /** That of the same application with delayjob. */
    static List<String> withDelayJob() {
        return classpath(MODULE.resolve("guest"));
    }

    /** That of the same application with delayjob and, declared after it, Redisson's starter. */
    static List<String> withStarter() {
        return classpath(MODULE);
    }

    /** Class path of a module: its own classes, and the jars that Maven has listed. */
    private static List<String> classpath(Path module) {
        Path target = module.resolve("target");
        try {
            String jars = Files.readString(target.resolve("classpath")).trim();
            return Stream.concat(
                            Stream.of(target.resolve("classes").toString()),
                            Stream.of(StringUtils.delimitedListToStringArray(jars, File.pathSeparator)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without Spring Boot's Data Redis and what it brings. */
    static List<String> withoutDataRedis(List<String> jars) {
        return jars.stream()
                .filter(jar -> !jar.matches(
                        ".*/(spring-boot-data-[^/]*|spring-boot-starter-data-[^/]*|spring-data-[^/]*|lettuce-[^/]*)"))
                .toList();
    }

    static Host start(List<String> jars, String... arguments) throws Exception {
        Path output = Files.createTempFile("host", ".log");
        try {
            Process process = new ProcessBuilder(command(jars, arguments))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(5, TimeUnit.MINUTES);
            process.destroyForcibly();
            List<String> lines = Files.readAllLines(output);
            assertThat(ended && process.exitValue() == 0)
                    .as("ended well, having printed%n%s", String.join("\n", lines))
                    .isTrue();
            return new Host(lines.stream()
                    .filter(line -> line.startsWith(HostApplication.MARK))
                    .map(line -> line.substring(HostApplication.MARK.length()))
                    .toList());
        } finally {
            Files.delete(output);
        }
    }

    private static List<String> command(List<String> jars, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(JarProcess.SHORT_LIVED);
        command.addAll(List.of(
                "-cp",
                String.join(File.pathSeparator, jars),
                HostApplication.class.getName(),
                "--spring.data.redis.url=" + RedisServer.shared().url()));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    /** Printed lines that begin with the given word. */
    List<String> said(String what) {
        return lines.stream().filter(line -> line.startsWith(what + " ")).toList();
    }

    List<String> without(Predicate<String> line) {
        return lines.stream().filter(line.negate()).toList();
    }
}

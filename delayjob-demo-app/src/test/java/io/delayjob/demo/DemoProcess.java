package io.delayjob.demo;

import io.delayjob.testing.JarProcess;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The packaged demo in a JVM of its own, on a Redis of its own. */
final class DemoProcess implements AutoCloseable {

    private final JarProcess process;

    private DemoProcess(JarProcess process) {
        this.process = process;
    }

    /** Starts the demo; does not wait for it. Properties begin with {@code --}, those of the system with {@code -D}. */
    static DemoProcess start(Path folder, String... properties) {
        Path jar = Path.of(System.getProperty("demo.jar", "target/delayjob-demo-app.jar"));
        List<String> options = new ArrayList<>(JarProcess.SHORT_LIVED);
        options.addAll(arguments(properties, "-D"));
        return new DemoProcess(JarProcess.start(folder, jar, options, arguments(properties, "--")));
    }

    private static List<String> arguments(String[] properties, String kind) {
        return Stream.of(properties)
                .filter(property -> property.startsWith(kind))
                .toList();
    }

    /** Waits until it is ready. */
    DemoClient client() {
        return new DemoClient(URI.create(process.url()).getPort());
    }

    String log() {
        return process.log();
    }

    /** SIGKILL. */
    void killNine() {
        process.killNine();
    }

    /** SIGTERM. */
    void stop() {
        process.stop();
    }

    @Override
    public void close() {
        process.close();
    }
}

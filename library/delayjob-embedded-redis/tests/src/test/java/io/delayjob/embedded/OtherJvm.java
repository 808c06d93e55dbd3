package io.delayjob.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A second JVM that uses the server of a folder until its input ends, or until it is killed. */
final class OtherJvm implements AutoCloseable {
    private final Process process;

    private OtherJvm(Process process) {
        this.process = process;
    }

    /** Runs inside the other JVM. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws IOException {
            try (EmbeddedRedis redis = EmbeddedRedis.startOrReuse(Path.of(args[0]))) {
                System.out.println(redis.pid());
                while (System.in.read() >= 0) {
                    // until the end
                }
            }
        }
    }

    static OtherJvm using(Path folder) throws IOException {
        return new OtherJvm(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** Waits until it uses the server; returns the server's pid. */
    long serverPid() {
        try {
            BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
            return Long.parseLong(output.readLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void kill() {
        RunningServer.kill(process.toHandle());
    }

    /** Ends its input, upon which it closes its server and ends. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }
}

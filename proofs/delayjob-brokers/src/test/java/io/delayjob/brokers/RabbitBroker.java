package io.delayjob.brokers;

import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The RabbitMQ of this machine, in a process of its own. */
final class RabbitBroker implements Broker {

    private static final int MOST_BYTES = 1_000_000;

    private final int port = Broker.freePort();
    private final int distributionPort = Broker.freePort();
    private final int mapperPort = Broker.freePort();
    private final Path folder = Broker.folder("rabbitmq");
    private final Path program;
    private @Nullable Process process;

    private RabbitBroker(Path program) {
        this.program = program;
    }

    /** Empty if none is installed. */
    static Optional<RabbitBroker> installed() {
        // Debian's own wrapper in /usr/sbin would run it as another user.
        return Stream.concat(
                        Stream.of("/usr/lib/rabbitmq/bin"),
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)))
                .map(place -> Path.of(place, "rabbitmq-server"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(RabbitBroker::new);
    }

    int port() {
        return port;
    }

    @Override
    public void start() throws Exception {
        Path configuration = folder.resolve("rabbitmq.conf");
        Files.writeString(configuration, """
                listeners.tcp.default = 127.0.0.1:%d
                max_message_size = %d
                log.console = true
                log.console.level = warning
                disk_free_limit.absolute = 50MB
                """.formatted(port, MOST_BYTES));
        Files.writeString(folder.resolve("plugins"), "[].");
        ProcessBuilder builder = new ProcessBuilder(program.toString());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("RABBITMQ"));
        environment.put("HOME", folder.toString());
        environment.put("RABBITMQ_NODENAME", "delayjob" + port + "@localhost");
        environment.put("RABBITMQ_CONFIG_FILE", configuration.toString());
        environment.put(
                "RABBITMQ_ENABLED_PLUGINS_FILE", folder.resolve("plugins").toString());
        environment.put("RABBITMQ_MNESIA_BASE", folder.toString());
        environment.put("RABBITMQ_LOG_BASE", folder.toString());
        environment.put("RABBITMQ_DIST_PORT", Integer.toString(distributionPort));
        environment.put("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}");
        environment.put("ERL_EPMD_PORT", Integer.toString(mapperPort));
        environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
        builder.redirectErrorStream(true);
        builder.redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.resolve("output").toFile()));
        process = builder.start();
        awaitPort();
    }

    private void awaitPort() throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        while (true) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (ConnectException e) {
                if (System.nanoTime() > end || !isAlive()) {
                    throw new IllegalStateException("RabbitMQ does not start: " + output(), e);
                }
                Thread.sleep(50);
            }
        }
    }

    private boolean isAlive() {
        return process != null && process.isAlive();
    }

    @Override
    public void stop() throws Exception {
        Process running = process;
        if (running == null) {
            return;
        }
        process = null;
        List<ProcessHandle> all = Stream.concat(running.descendants(), Stream.of(running.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroy);
        for (ProcessHandle one : all) {
            one.onExit().get(3, TimeUnit.MINUTES);
        }
    }

    /** Ends the port mapper too, which it has started beside itself. */
    @Override
    public void end() throws Exception {
        stop();
        new ProcessBuilder("epmd", "-port", Integer.toString(mapperPort), "-kill")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor(10, TimeUnit.SECONDS);
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("output"));
    }
}

package io.delayjob.brokers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener;
import org.apache.qpid.server.model.SystemConfig;
import org.apache.qpid.server.model.VirtualHostNode;
import org.apache.qpid.server.transport.AMQPConnection;
import org.jspecify.annotations.Nullable;

/** An AMQP 0-9-1 broker in this JVM: Qpid Broker-J. Keeps messages in memory. */
final class QpidBroker implements Broker {

    private final int port = Broker.freePort();
    private final Path folder = Broker.folder("qpid");
    private @Nullable SystemLauncher launcher;
    private @Nullable SystemConfig<?> system;

    int port() {
        return port;
    }

    @Override
    public void start() throws Exception {
        Path configuration = folder.resolve("broker.json");
        Files.writeString(configuration, """
                {"name": "broker", "modelVersion": "9.0",
                 "authenticationproviders": [{"name": "plain", "type": "Plain",
                    "users": [{"name": "guest", "type": "managed", "password": "guest"}], "secureOnlyMechanisms": []}],
                 "ports": [{"name": "amqp", "port": %d, "bindingAddress": "127.0.0.1", "authenticationProvider": "plain",
                    "protocols": ["AMQP_0_9_1"], "virtualhostaliases": [{"name": "default", "type": "defaultAlias"}]}],
                 "virtualhostnodes": [{"name": "default", "type": "Memory", "defaultVirtualHostNode": "true",
                    "virtualHostInitialConfiguration": "{\\"type\\": \\"Memory\\"}"}]}
                """.formatted(port));
        SystemLauncher starting = new SystemLauncher(new SystemLauncherListener.DefaultSystemLauncherListener() {
            @Override
            public void onContainerResolve(SystemConfig<?> config) {
                system = config;
            }
        });
        starting.startup(Map.of(
                "type", "Memory",
                "initialConfigurationLocation", configuration.toUri().toString(),
                "initialSystemPropertiesLocation",
                        Files.writeString(folder.resolve("system.properties"), "")
                                .toUri()
                                .toString(),
                "startupLoggedToSystemOut", false,
                "qpid.work_dir", folder.toString()));
        launcher = starting;
    }

    /** Closes all connections, as its administrators can. */
    void cut() {
        SystemConfig<?> running = Objects.requireNonNull(system);
        for (VirtualHostNode<?> node :
                ((org.apache.qpid.server.model.Broker<?>) running.getContainer()).getVirtualHostNodes()) {
            Objects.requireNonNull(node.getVirtualHost())
                    .getConnections()
                    .forEach(connection -> ((AMQPConnection<?>) connection)
                            .sendConnectionCloseAsync(AMQPConnection.CloseReason.MANAGEMENT, "cut by the test"));
        }
    }

    @Override
    public void stop() {
        if (launcher != null) {
            launcher.shutdown();
            launcher = null;
        }
    }
}

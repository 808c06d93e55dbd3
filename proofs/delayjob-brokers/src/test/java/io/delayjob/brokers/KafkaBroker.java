package io.delayjob.brokers;

import java.nio.file.Path;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;

/** A Kafka broker in this JVM, which is its own controller. Makes no topics of its own accord. */
final class KafkaBroker implements Broker {

    private final int port = Broker.freePort();
    private final int controllerPort = Broker.freePort();
    private final Path folder = Broker.folder("kafka");
    private @Nullable KafkaRaftServer broker;

    String url() {
        return "127.0.0.1:" + port;
    }

    /** Writes what a new broker needs to know of itself. */
    void format() throws Exception {
        new Formatter()
                .setClusterId(Uuid.randomUuid().toString())
                .setNodeId(1)
                .addDirectory(folder.toString())
                .setReleaseVersion(MetadataVersion.latestProduction())
                .setControllerListenerName("CONTROLLER")
                .setMetadataLogDirectory(folder.toString())
                .run();
    }

    @Override
    public void start() throws Exception {
        KafkaRaftServer starting = new KafkaRaftServer(
                new KafkaConfig(Map.ofEntries(
                        Map.entry("process.roles", "broker,controller"),
                        Map.entry("node.id", "1"),
                        Map.entry("controller.quorum.voters", "1@127.0.0.1:" + controllerPort),
                        Map.entry("controller.listener.names", "CONTROLLER"),
                        Map.entry("inter.broker.listener.name", "PLAINTEXT"),
                        Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
                        Map.entry("listeners", "PLAINTEXT://" + url() + ",CONTROLLER://127.0.0.1:" + controllerPort),
                        Map.entry("log.dirs", folder.toString()),
                        Map.entry("auto.create.topics.enable", "false"),
                        Map.entry("offsets.topic.replication.factor", "1"),
                        Map.entry("offsets.topic.num.partitions", "1"),
                        Map.entry("broker.heartbeat.interval.ms", "200"),
                        Map.entry("broker.session.timeout.ms", "1000"),
                        Map.entry("message.max.bytes", "1000000"))),
                Time.SYSTEM);
        starting.startup();
        broker = starting;
    }

    @Override
    public void stop() {
        if (broker != null) {
            broker.shutdown();
            broker.awaitShutdown();
            broker = null;
        }
    }
}

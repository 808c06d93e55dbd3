package io.delayjob.brokers;

import java.nio.file.Path;
import java.util.Objects;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.jspecify.annotations.Nullable;

/** ActiveMQ Artemis in this JVM, with its journal on disk. Makes queues as they are used, but for those that are missing, and deletes them when they are idle. */
final class ArtemisBroker implements Broker {

    private final int port = Broker.freePort();
    private final Path folder = Broker.folder("artemis");
    private @Nullable EmbeddedActiveMQ broker;

    String url() {
        return "tcp://127.0.0.1:" + port;
    }

    @Override
    public void start() throws Exception {
        Configuration configuration = new ConfigurationImpl()
                .setSecurityEnabled(false)
                .setPersistenceEnabled(true)
                .setJournalType(JournalType.NIO)
                .setJournalDirectory(folder.resolve("journal").toString())
                .setBindingsDirectory(folder.resolve("bindings").toString())
                .setPagingDirectory(folder.resolve("paging").toString())
                .setLargeMessagesDirectory(folder.resolve("large").toString())
                .setJournalFileSize(1 << 20)
                .setJournalMinFiles(2)
                .setMaxDiskUsage(100)
                .addAcceptorConfiguration("tcp", url())
                .setAddressQueueScanPeriod(100)
                .addAddressSetting("#", new AddressSettings())
                .addAddressSetting("missing", notMade())
                // Its client looks for an unknown queue under its name in Artemis 1.x as well.
                .addAddressSetting("jms.queue.missing", notMade());
        broker = new EmbeddedActiveMQ().setConfiguration(configuration).start();
    }

    private static AddressSettings notMade() {
        return new AddressSettings().setAutoCreateAddresses(false).setAutoCreateQueues(false);
    }

    boolean has(String queue) {
        return Objects.requireNonNull(broker).getActiveMQServer().locateQueue(SimpleString.of(queue)) != null;
    }

    @Override
    public void stop() throws Exception {
        if (broker != null) {
            broker.stop();
            broker = null;
        }
    }
}

package io.delayjob.brokers;

import java.nio.file.Path;
import org.apache.activemq.broker.BrokerFilter;
import org.apache.activemq.broker.BrokerPlugin;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.broker.ConnectionContext;
import org.apache.activemq.broker.region.Destination;
import org.apache.activemq.command.ActiveMQDestination;
import org.jspecify.annotations.Nullable;

/** ActiveMQ Classic in this JVM, with its store on disk. Nobody may make a queue named "missing". */
final class ClassicBroker implements Broker {

    private final int port = Broker.freePort();
    private final Path folder = Broker.folder("classic");
    private @Nullable BrokerService broker;

    String url() {
        return "tcp://127.0.0.1:" + port;
    }

    @Override
    public void start() throws Exception {
        BrokerService starting = new BrokerService();
        starting.setBrokerName("classic");
        starting.setDataDirectory(folder.toString());
        starting.setUseJmx(false);
        starting.setUseShutdownHook(false);
        starting.getSystemUsage().getStoreUsage().setLimit(64 << 20);
        starting.getSystemUsage().getTempUsage().setLimit(64 << 20);
        starting.setPlugins(new BrokerPlugin[] {Guarded::new});
        starting.addConnector(url() + "?wireFormat.maxFrameSize=1000000");
        starting.start();
        starting.waitUntilStarted();
        broker = starting;
    }

    /** Refuses to create the destination "missing", like a broker with an authorization plugin. */
    private static final class Guarded extends BrokerFilter {

        Guarded(org.apache.activemq.broker.Broker next) {
            super(next);
        }

        @Override
        public Destination addDestination(
                ConnectionContext context, ActiveMQDestination destination, boolean createIfTemporary)
                throws Exception {
            if (destination.getPhysicalName().equals("missing")) {
                throw new SecurityException("User shop is not authorized to create: " + destination);
            }
            return super.addDestination(context, destination, createIfTemporary);
        }
    }

    @Override
    public void stop() throws Exception {
        if (broker != null) {
            broker.stop();
            broker.waitUntilStopped();
            broker = null;
        }
    }
}

package io.delayjob.brokers;

import java.nio.file.Path;
import org.apache.activemq.broker.BrokerService;
import org.jspecify.annotations.Nullable;

/** ActiveMQ Classic in this JVM, with its store on disk. */
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
        starting.addConnector(url() + "?wireFormat.maxFrameSize=1000000");
        starting.start();
        starting.waitUntilStarted();
        broker = starting;
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

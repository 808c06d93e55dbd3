package io.delayjob.brokers;

import java.nio.file.Path;
import java.util.Objects;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.MQVersion;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.constant.PermName;
import org.apache.rocketmq.common.namesrv.NamesrvConfig;
import org.apache.rocketmq.namesrv.NamesrvController;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.netty.NettyServerConfig;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.store.config.MessageStoreConfig;
import org.jspecify.annotations.Nullable;

/** A RocketMQ name server and broker in this JVM. Makes no topics of its own accord. */
final class RocketBroker implements Broker {

    private final int namePort = Broker.freePort();
    private final int port = Broker.freePort();
    private final int haPort = Broker.freePort();
    private final Path folder = Broker.folder("rocketmq");
    private @Nullable NamesrvController names;
    private @Nullable BrokerController broker;

    String nameServer() {
        return "127.0.0.1:" + namePort;
    }

    @Override
    public void start() throws Exception {
        // Without it the name server takes the broker for one of an old release, and notes no topics of it.
        System.setProperty(RemotingCommand.REMOTING_VERSION_KEY, Integer.toString(MQVersion.CURRENT_VERSION));
        NettyServerConfig nameNetwork = server(namePort);
        NamesrvConfig namesConfig = new NamesrvConfig();
        namesConfig.setRocketmqHome(folder.toString());
        namesConfig.setKvConfigPath(folder.resolve("kv.json").toString());
        names = new NamesrvController(namesConfig, nameNetwork);
        names.initialize();
        names.start();
        broker = broker();
        broker.initialize();
        broker.start();
    }

    /** Makes a topic, and tells the name server of it. */
    void createTopic(String topic) {
        BrokerController running = Objects.requireNonNull(broker);
        running.getTopicConfigManager().updateTopicConfig(new TopicConfig(topic, 2, 2));
        running.registerBrokerAll(true, false, true);
    }

    private BrokerController broker() {
        BrokerConfig config = new BrokerConfig();
        config.setBrokerName("test");
        config.setBrokerClusterName("test");
        config.setBrokerIP1("127.0.0.1");
        config.setNamesrvAddr(nameServer());
        config.setAutoCreateTopicEnable(false);
        config.setRocketmqHome(folder.toString());
        MessageStoreConfig store = new MessageStoreConfig();
        store.setStorePathRootDir(folder.resolve("store").toString());
        store.setStorePathCommitLog(folder.resolve("store/commitlog").toString());
        store.setMappedFileSizeCommitLog(4 << 20);
        store.setMappedFileSizeConsumeQueue(20 * 1000);
        store.setMaxIndexNum(1000);
        store.setMaxHashSlotNum(1000);
        store.setHaListenPort(haPort);
        store.setDiskMaxUsedSpaceRatio(95);
        store.setTimerWheelEnable(false);
        return new BrokerController(config, server(port), new NettyClientConfig(), store);
    }

    private static NettyServerConfig server(int port) {
        NettyServerConfig config = new NettyServerConfig();
        config.setBindAddress("127.0.0.1");
        config.setListenPort(port);
        return config;
    }

    /** Refuses messages, or takes them again. */
    void refuse(boolean refuses) {
        Objects.requireNonNull(broker)
                .getBrokerConfig()
                .setBrokerPermission(refuses ? PermName.PERM_READ : PermName.PERM_READ | PermName.PERM_WRITE);
    }

    /** Nothing: it would take a quarter of a minute. It ends with this JVM. */
    @Override
    public void end() {}

    @Override
    public void stop() {
        if (broker != null && names != null) {
            broker.shutdown();
            names.shutdown();
            broker = null;
            names = null;
        }
    }
}

package io.delayjob.redisson.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.ledger.LedgerContract;
import io.delayjob.engine.ledger.TestedLedger;
import io.delayjob.redisson.events.EventStream;
import io.delayjob.redisson.events.Position;
import io.delayjob.redisson.events.StreamedEvent;
import io.delayjob.redisson.history.Counts;
import io.delayjob.redisson.history.HistoryStore;
import io.delayjob.redisson.history.Span;
import io.delayjob.testing.OwnCluster;
import io.delayjob.testing.OwnRedis;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.StringUtils;

/**
 * The ledger keeps every promise on a cluster as well. Its nodes refuse a script whose keys are not all in one slot, and a script
 * that touches a key of another node.
 */
@Tag("proof")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterLedgerContractIT extends LedgerContract {

    @SuppressWarnings("NullAway.Init")
    private static OwnCluster cluster;

    @SuppressWarnings("NullAway.Init")
    private static RedissonClient redisson;

    @SuppressWarnings("NullAway.Init")
    private static RedisBackend backend;

    private final TestShard shard = new TestShard(redisson, backend);

    @Override
    protected TestedLedger underTest() {
        return shard;
    }

    @BeforeAll
    static void start() {
        cluster = OwnCluster.start(3);
        // No replica takes over from a master that stands still with the machine.
        cluster.configure("cluster-node-timeout", "60000");
        Config config = new Config();
        config.useClusterServers()
                .addNodeAddress(cluster.addresses().stream()
                        .map(address -> "redis://" + address)
                        .toArray(String[]::new))
                .setMasterConnectionMinimumIdleSize(2)
                .setSlaveConnectionMinimumIdleSize(2);
        redisson = PatientScripts.of(Redisson.create(config));
        backend = TestShard.backend(redisson);
    }

    @AfterAll
    static void stop() {
        redisson.shutdown();
        cluster.close();
    }

    @Test
    void saysWhatRedisEvicts() {
        assertThat(backend.evictionPolicy("any").join()).isEqualTo("noeviction");
    }

    @Test
    void saysWhetherAMasterKeepsNothingOnDisk() {
        assertThat(backend.keepsNothing("any")).succeedsWithin(Duration.ofMinutes(2));
    }

    @Test
    void knowsTheQueuesThatWereNamed() {
        assertThat(backend.enlist(List.of("orders")).join()).isTrue();
        assertThat(backend.queues().join()).contains("orders");
    }

    @Test
    void streamsEvents() {
        EventStream events = backend.events();
        Position start = events.want(1000).join().end();
        assertThat(events.append(List.of(new StreamedEvent("completed", "q", "{}")))
                        .join())
                .isTrue();
        assertThat(events.read(start).join().events()).hasSize(1);
    }

    @Test
    void keepsTheHistory() {
        HistoryStore history = backend.history();
        Counts counts = Counts.of(1, 2, 3, new long[] {4});
        history.add(Map.of("orders", counts)).join();
        assertThat(history.read(List.of("orders"), Map.of()).join().slots())
                .hasSize(Span.values().length)
                .allMatch(slot -> slot.counts().equals(counts));
    }

    /** The cluster belongs to this class: the scripts that its nodes know are those that have run in its tests. */
    @Test
    @Order(Integer.MAX_VALUE)
    void everyScriptHasRunOnTheCluster() throws Exception {
        assertThat(scripts())
                .isNotEmpty()
                .allSatisfy(name -> assertThat(hasRun(name))
                        .as("script %s has run on a node", name)
                        .isTrue());
    }

    private static List<String> scripts() throws Exception {
        Resource[] files =
                new PathMatchingResourcePatternResolver().getResources("classpath:io/delayjob/redisson/lua/*.lua");
        return Stream.of(files)
                .map(file -> StringUtils.stripFilenameExtension(Objects.requireNonNull(file.getFilename())))
                .toList();
    }

    /** Whether a script has run, also if only as one that knows keys. */
    private static boolean hasRun(String script) throws Exception {
        return isKnown(script) || isKnown(ScriptSource.knowingKeys(script));
    }

    private static boolean isKnown(String script) throws Exception {
        byte[] sha = MessageDigest.getInstance("SHA-1")
                .digest(TestShard.SOURCE.load(script).text().getBytes(UTF_8));
        String hex = HexFormat.of().formatHex(sha);
        for (OwnRedis node : cluster.nodes()) {
            if (RedisCall.call(node.url(), "SCRIPT", "EXISTS", hex).equals("1")) {
                return true;
            }
        }
        return false;
    }
}

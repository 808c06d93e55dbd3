package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Rings;
import io.delayjob.engine.ledger.ScheduleNames;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.Tally;
import io.delayjob.redisson.events.EventStream;
import io.delayjob.redisson.history.HistoryStore;
import io.delayjob.support.Checks;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNode;
import org.redisson.config.Config;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SingleServerConfig;

/** Ledgers and doorbells that use one Redisson client. */
public final class RedisBackend implements Backend {

    private final RedissonClient redisson;
    private final String prefix;
    private final Consumer<Runnable> quietly;
    private final Scripts scripts;
    private final ClientSize size;
    private final DoorbellThread doorbells;

    /**
     * Uses a client, which its owner must shut down.
     *
     * @param prefix the prefix of all keys
     * @param quietly runs a step during which Redisson logs an irrelevant error
     */
    public RedisBackend(RedissonClient redisson, String prefix, Consumer<Runnable> quietly) {
        this(redisson, prefix, quietly, new ScriptSource());
    }

    RedisBackend(RedissonClient redisson, String prefix, Consumer<Runnable> quietly, ScriptSource source) {
        this.redisson = redisson;
        this.prefix = prefix;
        this.quietly = quietly;
        this.scripts = new Scripts(redisson, source);
        this.size = new ClientSize(redisson);
        this.doorbells = new DoorbellThread(size, scripts);
    }

    @Override
    public Ledger ledger(ShardId shard, Retention retention, Replication replication) {
        // The name as Redisson maps it, because scripts publish on the channel without Redisson.
        String notices = notices().getChannelNames().get(0);
        TextScripts submits = replication.waits() ? new ReplicatedScripts(redisson, scripts, replication) : scripts;
        return new RedisLedger(new ShardScripts(scripts, submits), new Keys(prefix, shard), retention, notices);
    }

    @Override
    public CompletableFuture<List<Tally>> tallies(List<ShardId> shards) {
        List<Keys> keys = shards.stream().map(shard -> new Keys(prefix, shard)).toList();
        return ShardScripts.orKnowingKeys(RedisLedger.COUNTS, script -> scripts.lists(script, keys, Answers::tally));
    }

    @Override
    public Doorbell doorbell(ShardId shard) {
        return new RedissonDoorbell(redisson, new Keys(prefix, shard), quietly, doorbells, scripts);
    }

    @Override
    public Rings rings() {
        return new RedissonRings(redisson, prefix, size, scripts);
    }

    @Override
    public Subscription onNotice(Consumer<Notice> listener) {
        return new NoticeTopic(redisson, notices(), listener).listen();
    }

    @Override
    public CompletableFuture<Boolean> enlist(List<String> queues) {
        return scripts.number("enlist", forAllShards(), queues).thenApply(done -> true);
    }

    @Override
    public CompletableFuture<Set<String>> queues() {
        return scripts.list("queues", forAllShards(), List.of(), RedisBackend::names);
    }

    @Override
    public ScheduleNames scheduleNames() {
        return new RedisScheduleNames(scripts, prefix);
    }

    /** Keeps the valid names only, because anything may have been written there. */
    private static Set<String> names(List<Object> members) {
        return members.stream()
                .map(String::valueOf)
                .filter(Checks::isQueue)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The prefix and the addresses in the client's configuration. */
    @Override
    public Object place() {
        return List.of(prefix, addresses(redisson.getConfig()));
    }

    private static List<?> addresses(Config config) {
        if (config.isSingleConfig()) {
            SingleServerConfig server = config.useSingleServer();
            return List.of(server.getAddress(), server.getDatabase());
        } else if (config.isSentinelConfig()) {
            SentinelServersConfig servers = config.useSentinelServers();
            return List.of(servers.getMasterName(), servers.getSentinelAddresses(), servers.getDatabase());
        }
        return config.isClusterConfig() ? config.useClusterServers().getNodeAddresses() : List.of(config);
    }

    /** The events of all nodes. */
    public EventStream events() {
        return new RedisEventStream(scripts, Keys.events(prefix));
    }

    /** The history of the queues during the last day. */
    public HistoryStore history() {
        return new RedisHistory(scripts, Keys.history(prefix));
    }

    /** The versions of all masters, such as 7.2.4; without those that do not tell theirs. Fails if the user may not ask. */
    public CompletableFuture<List<String>> versions() {
        try {
            return Masters.of(redisson).stream()
                    .map(master ->
                            master.infoAsync(RedisNode.InfoSection.SERVER).toCompletableFuture())
                    .map(info -> info.thenApply(server ->
                            Stream.ofNullable(server.get("redis_version")).toList()))
                    .reduce((some, others) -> some.thenCombine(
                            others,
                            (one, other) ->
                                    Stream.concat(one.stream(), other.stream()).toList()))
                    .orElse(CompletableFuture.completedFuture(List.of()));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The maxmemory-policy of Redis, such as {@code noeviction}; empty if Redis does not reveal it. */
    public CompletableFuture<String> evictionPolicy(String queue) {
        return scripts.string("policy", new Keys(prefix, new ShardId(queue, 0)), List.of());
    }

    /**
     * Whether Redis stores nothing on disk: no append-only file and no automatic snapshots. False if Redis does not reveal it, as
     * managed services often do not, or if its user may not ask.
     */
    public CompletableFuture<Boolean> keepsNothing(String queue) {
        return scripts.string("persistence", new Keys(prefix, new ShardId(queue, 0)), List.of())
                .thenCompose(log -> log.equals("0") ? savesNever() : CompletableFuture.completedFuture(false));
    }

    private CompletableFuture<Boolean> savesNever() {
        return Masters.of(redisson).stream()
                .map(master -> master.getConfigAsync("save").toCompletableFuture())
                .map(saves -> saves.thenApply(save -> "".equals(save.get("save"))))
                .reduce((one, other) -> one.thenCombine(other, Boolean::logicalOr))
                .orElse(CompletableFuture.completedFuture(false));
    }

    private KeyNames forAllShards() {
        return script -> List.of(Keys.queues(prefix));
    }

    private RTopic notices() {
        return redisson.getTopic(Keys.notices(prefix), HeapTextCodec.INSTANCE);
    }
}

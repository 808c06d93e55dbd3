package io.delayjob.engine.internal.calls;

import io.delayjob.engine.internal.records.JobIds;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.Tally;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.QueueSettings;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The shards of all queues that this node uses. A job is in the shard of its key, or else of its id, see {@link ShardId#of}. Shards of this
 * node's own queues are kept for good. Of other queues, whose number is unbounded because callers may name any queue, the recently
 * used ones are kept and those with a call under way. Thread-safe.
 */
public final class Queues {

    /** How many queues of others are kept that have no call under way. */
    static final int MOST_OTHERS = 100;

    private final Backend backend;
    private final EngineSettings settings;
    private final ScheduledExecutorService scheduler;
    private final Predicate<String> own;
    private final Map<String, List<Shard>> kept = new ConcurrentHashMap<>();
    private final Map<String, List<Shard>> others = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * The queues.
     *
     * @param own whether a queue is one of this node's own
     */
    public Queues(Backend backend, EngineSettings settings, Predicate<String> own, ScheduledExecutorService scheduler) {
        this.backend = backend;
        this.settings = settings;
        this.own = own;
        this.scheduler = scheduler;
    }

    /** All shards of a queue, by number. */
    public List<Shard> shards(String queue) {
        List<Shard> known = kept.get(queue);
        if (known != null) {
            return known;
        }
        return own.test(queue) ? kept.computeIfAbsent(queue, this::open) : other(queue);
    }

    private List<Shard> other(String queue) {
        synchronized (others) {
            List<Shard> known = others.get(queue);
            if (known != null) {
                return known;
            }
            forgetOthers();
            List<Shard> opened = open(queue);
            others.put(queue, opened);
            return opened;
        }
    }

    /** Drops the least recently used queues. A queue that is about to be used may be dropped; its lanes still work. */
    private void forgetOthers() {
        Iterator<List<Shard>> eldest = others.values().iterator();
        while (others.size() >= MOST_OTHERS && eldest.hasNext()) {
            if (eldest.next().stream().allMatch(Shard::idle)) {
                eldest.remove();
            }
        }
    }

    /** The shards of all queues that this node uses, by queue. */
    public Map<String, List<Shard>> open() {
        Map<String, List<Shard>> open = new HashMap<>(kept);
        synchronized (others) {
            open.putAll(others);
        }
        return open;
    }

    /** The names of the queues that any node submits to or runs. */
    public CompletableFuture<Set<String>> names() {
        return backend.queues();
    }

    /** Counts the jobs of shards, in their order, with one call. */
    public CompletableFuture<List<Tally>> tallies(List<ShardId> shards) {
        return backend.tallies(shards);
    }

    /** The words of a queue's index, by the settings of this node. */
    public List<String> index(String queue) {
        return settings.queues().of(queue).index();
    }

    /** The shard of a job. */
    public Shard shard(String queue, String jobId) {
        List<Shard> all = shards(queue);
        return all.size() == 1 ? all.get(0) : all.get(number(queue, jobId, all.size()));
    }

    /** Whether two texts, such as an id and a key, belong to the same shard. */
    public boolean areTogether(String queue, String one, String other) {
        int shards = shards(queue).size();
        return number(queue, one, shards) == number(queue, other, shards);
    }

    /** A random id that lies in the shard of a key or a dedupe key; takes about as many tries as there are shards. */
    public String idBeside(String queue, String key) {
        int shards = shards(queue).size();
        String id = JobIds.random();
        while (number(queue, id, shards) != number(queue, key, shards)) {
            id = JobIds.random();
        }
        return id;
    }

    /** An id that begins with {@code text} and lies in a shard; the same for each call. */
    public String idIn(ShardId shard, String text) {
        int shards = shards(shard.queue()).size();
        String id = text;
        for (int n = 1; number(shard.queue(), id, shards) != shard.number(); n++) {
            id = text + "~" + n;
        }
        return id;
    }

    /**
     * The ledgers of a queue's shards, by number, for calls that need no lane. It opens no shards, so counting many queues is cheap and
     * makes this node forget none.
     */
    public List<Ledger> ledgers(String queue) {
        QueueSettings its = settings.queues().of(queue);
        return ids(queue)
                .map(id -> backend.ledger(id, its.retention(), its.replication()))
                .toList();
    }

    private List<Shard> open(String queue) {
        return ids(queue).map(id -> new Shard(id, backend, settings, scheduler)).toList();
    }

    /** The shards of a queue, by number. */
    public Stream<ShardId> ids(String queue) {
        return IntStream.range(0, settings.queues().of(queue).shards()).mapToObj(number -> new ShardId(queue, number));
    }

    private static int number(String queue, String text, int shards) {
        return ShardId.of(queue, text, shards).number();
    }
}

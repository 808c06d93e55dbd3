package io.delayjob.redisson.internal.engine;

import io.delayjob.redisson.internal.ledger.Backend;
import io.delayjob.redisson.internal.ledger.ShardId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/** The shards of every queue this node has to do with. A job lives in the shard its id hashes to (CRC-32 of its UTF-8). */
final class Queues {

    private final Backend backend;
    private final EngineSettings settings;
    private final ScheduledExecutorService scheduler;
    private final Map<String, List<Shard>> shards = new ConcurrentHashMap<>();

    Queues(Backend backend, EngineSettings settings, ScheduledExecutorService scheduler) {
        this.backend = backend;
        this.settings = settings;
        this.scheduler = scheduler;
    }

    /** All shards of a queue, by number. */
    List<Shard> shards(String queue) {
        return shards.computeIfAbsent(queue, this::open);
    }

    /** The shards of the queues that this node has had to do with so far. */
    Map<String, List<Shard>> open() {
        return Map.copyOf(shards);
    }

    /** The shard of a job. */
    Shard shard(String queue, String jobId) {
        List<Shard> all = shards(queue);
        return all.size() == 1 ? all.get(0) : all.get(number(jobId, all.size()));
    }

    /** A new id for a job in the shard of a dedupe key: about as many tries as there are shards. */
    String idBeside(String queue, String key) {
        int shards = shards(queue).size();
        String id = JobIds.random();
        while (number(id, shards) != number(key, shards)) {
            id = JobIds.random();
        }
        return id;
    }

    private List<Shard> open(String queue) {
        return IntStream.range(0, settings.queue(queue).shards())
                .mapToObj(number -> new Shard(new ShardId(queue, number), backend, settings, scheduler))
                .toList();
    }

    private static int number(String jobId, int shards) {
        if (shards == 1) {
            return 0;
        }
        CRC32 crc = new CRC32();
        crc.update(jobId.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % shards);
    }
}

package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.ShardId;
import java.util.List;
import java.util.stream.Stream;

/**
 * The keys of one shard, all under one hash tag, so that a script may use them together on a cluster: {@code
 * delayjob:{orders:0}:waiting}.
 *
 * @param prefix the prefix of all keys
 * @param shard the shard of the keys
 */
record Keys(String prefix, ShardId shard) implements KeyNames {

    /**
     * The channel of notices to all nodes, for all shards. It is named after the first kind of notice; the name cannot change,
     * because ACL rules in Redis contain it.
     */
    static String notices(String prefix) {
        return prefix + ":cancelled";
    }

    /** The key of the names of queues, one for all shards. */
    static String queues(String prefix) {
        return prefix + ":" + Key.QUEUES.lowerName();
    }

    /** The key of the queues of schedules, one for all shards. */
    static String scheduled(String prefix) {
        return prefix + ":" + Key.SCHEDULED.lowerName();
    }

    /** The keys of the event stream, under a hash tag of their own: those of shards have a colon in theirs. */
    static KeyNames events(String prefix) {
        return around(prefix, Key.EVENTS);
    }

    /** The keys of the history of all queues, under a hash tag of their own. */
    static KeyNames history(String prefix) {
        return around(prefix, Key.HISTORY);
    }

    private static KeyNames around(String prefix, Key main) {
        String name = prefix + ":{" + main.lowerName() + "}";
        return script -> script.keys().stream()
                .map(key -> key == main ? name : name + ":" + key.lowerName())
                .toList();
    }

    /** One key of the shard. */
    String of(Key key) {
        return prefix + ":{" + shard + "}:" + key.lowerName();
    }

    /** The memo of a lane. */
    String memo(String lane) {
        return of(Key.MEMO) + ":" + lane;
    }

    @Override
    public List<String> of(Script script) {
        return script.keys().stream().map(this::of).toList();
    }

    /** The keys of a call of a lane. */
    KeyNames in(String lane) {
        return script -> script.keys().stream().map(key -> of(key, lane)).toList();
    }

    /** The keys of a call of a lane, including the optional ones. */
    KeyNames allIn(String lane) {
        return script -> Stream.concat(script.keys().stream(), script.optional().stream())
                .map(key -> of(key, lane))
                .toList();
    }

    private String of(Key key, String lane) {
        return key == Key.MEMO ? memo(lane) : of(key);
    }
}

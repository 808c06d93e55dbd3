package io.delayjob.redisson.internal.redis;

import java.util.Locale;

/**
 * The kinds of keys in Redis, with their types and contents. Scripts declare the keys they use by these names; see {@link
 * ScriptSource}. Keys of type {@link Type#ANY} are only tested for existence or overwritten, so scripts do not check their type.
 */
enum Key {
    /** Id → record of the job, written once. */
    JOBS(Type.HASH),
    /** Id → due time, ms: jobs that are not running; for a job that nodes could not run, when it is offered again. */
    WAITING(Type.ZSET),
    /** Id → level and due time, see include/waiting.lua: of the same jobs, those with a priority of their own. */
    PRIORITIZED(Type.RARE_ZSET),
    /** Which levels {@link #PRIORITIZED} has ever had, a digit for each, and k if the shard ever had keys or limits; absent before the first. */
    LEVELS(Type.ANY),
    /** Id → due time, ms: of the jobs that wait, those with a key, which are in no other set; see include/lanes.lua. */
    KEYED(Type.ZSET),
    /** Key, seat and id: the same jobs in the order of their keys. */
    LANES(Type.ZSET),
    /** Key and id: of the jobs handed to a node, those with a key. */
    HELD(Type.ZSET),
    /** Key and id: of the dead jobs, those with a key. */
    BURIED(Type.ZSET),
    /** Key → pass: the keys that may begin a job now, in the order of their turns. */
    TURNS(Type.ZSET),
    /** Key → ms: the keys that may begin a job then. */
    WAKES(Type.ZSET),
    /** Key → time of its next job, ms: the keys that may begin none. */
    BLOCKED(Type.ZSET),
    /** Key → pass: how many turns a key has had, for as long as jobs of it wait. */
    PASSES(Type.HASH),
    /** Key → µs: from when its rate is used up no longer; the empty key is the shard. */
    RATES(Type.ZSET),
    /** The limits of the shard and of keys, in the format of include/lanes.lua. */
    LIMITS(Type.HASH),
    /** Counts the jobs with keys; part of their seats. */
    SEATS(Type.STRING),
    /** Id → shard|token|ms, see include/pointers.lua: of the ids of this shard, those of jobs in other shards. */
    POINTERS(Type.HASH),
    /** Token → ms: the pointers to this shard that were revoked then. */
    REVOKED(Type.ZSET),
    /** Id → lease expiry, ms: jobs handed to a node. */
    RESERVED(Type.ZSET),
    /** Id → time of death, ms: jobs given up. */
    DEAD(Type.ZSET),
    /** Id → the changing facts of a job, in the format of include/facts.lua; absent until first needed. */
    FACTS(Type.HASH),
    /** Id → why the last attempt failed or the job was given up; absent before that. */
    ERRORS(Type.HASH),
    /** Id → the progress of a job, percent=|text=; absent until it reports one. */
    PROGRESS(Type.HASH),
    /** Mark and id, of unfinished jobs with marks, all with the score 0; see include/index.lua. */
    INDEX(Type.ZSET),
    /** Id → the marks of the same jobs, one after the other. */
    MARKS(Type.HASH),
    /** Dedupe key → which job took it last, and for how long, in the format of include/dedupe.lua. */
    DEDUPE(Type.HASH),
    /** Dedupe key → end, ms: the keys that are kept for a fixed time. */
    WINDOWS(Type.ZSET),
    /** Id → time of the end, ms: retained completed and cancelled jobs. */
    FINISHED(Type.ZSET),
    /** Id → record of a retained finished job. */
    ARCHIVE(Type.HASH),
    /** Id → outcome of a retained job, in the format of include/retain.lua. */
    OUTCOMES(Type.HASH),
    /** Counts the claims that found jobs; the growing part of tokens. */
    EPOCH(Type.STRING),
    /** The doorbell: a list of ids. */
    READY(Type.LIST),
    /** Ms, with expiry: the holder knows the next of the jobs that are due up to here. */
    WATERMARK(Type.STRING),
    /** The name of the holder, with expiry. */
    HOLDER(Type.STRING),
    /** Exists, with expiry, while takers poll instead of being rung. */
    BUSY(Type.ANY),
    /** Exists while the queue is paused. */
    PAUSED(Type.ANY),
    /** When nodes fed and when the data began, in the format of include/pulse.lua. */
    PULSE(Type.ANY),
    /** Node → expiry, ms: the nodes that are alive. */
    NODES(Type.ZSET),
    /** Node → workers=|free=: how many jobs it runs at once, and how many more it could run now. */
    WORKERS(Type.HASH),
    /** Node → the names of the jobs it has handlers for, one per line. */
    HANDLERS(Type.HASH),
    /** Name, due time and id, in the format of include/hints.lua: jobs that wait for a node with their handler. */
    HINTS(Type.ZSET),
    /** With expiry, while a flow log is kept: the most entries that it may have. */
    JOURNAL(Type.ANY),
    /** The flow log: an entry for each call that changed jobs, in the format of include/steps.lua. */
    FLOW(Type.RARE_STREAM),
    /** term:relays: which submits of journaled jobs are let in, see include/fence.lua; from when a flow log is first kept. */
    FENCE(Type.ANY),
    /** When the journal last compared, and since when claims wait for it, in the format of include/compared.lua; absent before. */
    COMPARED(Type.ANY),
    /** term:calls: the permit of the next call that may put lost jobs back, see restore.lua; from the first restore on. */
    RESTORES(Type.ANY),
    /** Over how many shards the nodes that run the jobs of the queue spread it; in shard 0 alone. */
    SHARDS(Type.STRING),
    /** Name → definition of a schedule, which only nodes read. */
    SCHEDULES(Type.HASH),
    /** Name → the changing part of a schedule, in the format of include/schedules.lua. */
    FIRES(Type.HASH),
    /** Name → next instant, ms: the schedules that are to fire. */
    INSTANTS(Type.ZSET),
    /** Name → the last decisions about instants of a schedule, in the format of fire.lua. */
    DECISIONS(Type.HASH),
    /** Name → when a node last declared the schedule, ms. */
    DECLARED(Type.HASH),
    /** The latest version of data of time zones that a live node has, and when such a node fed last, ms; exists where there were schedules. */
    ZONES(Type.STRING),
    /** The number and answer of the last call of a lane, with expiry; each lane has its own memo. */
    MEMO(Type.STRING),
    /**
     * Queue → when a node last named it, ms: the queues that jobs are submitted to or taken from, at most 10,000; one key for all
     * shards.
     */
    QUEUES(Type.ANY),
    /** Schedule → its queue; one key for all shards. */
    SCHEDULED(Type.HASH),
    /** The stream of events of all nodes; one key for all shards. */
    EVENTS(Type.ANY),
    /** kept=|since=, with expiry: exists while a server wants events; one key for all shards. */
    WANTED(Type.ANY),
    /** Slot and queue → what happened, in the format of add_history.lua: the history of all queues; one key for all shards. */
    HISTORY(Type.ANY),
    /** Queue → when something was last counted, ms: the queues of the history; one key for all shards. */
    COUNTED(Type.ANY);

    /** The types of keys in Redis. */
    enum Type {
        HASH,
        ZSET,
        LIST,
        STRING,
        /** Scripts check it where they use it, because most shards have none. */
        RARE_ZSET,
        /** Checked where it is used, as {@link #RARE_ZSET} is. */
        RARE_STREAM,
        ANY
    }

    private final Type type;

    Key(Type type) {
        this.type = type;
    }

    /** The name in scripts, and the last part of the key in Redis. */
    String lowerName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The type that every script checks, as a Lua literal: the answer of Redis' TYPE command, or false. */
    String luaType() {
        return switch (type) {
            case ANY, RARE_ZSET, RARE_STREAM -> "false";
            default -> "'" + type.name().toLowerCase(Locale.ROOT) + "'";
        };
    }
}

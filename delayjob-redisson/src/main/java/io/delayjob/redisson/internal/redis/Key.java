package io.delayjob.redisson.internal.redis;

import java.util.Locale;

/**
 * Every kind of key in Redis: its name, its type and what it holds. Scripts declare those they use by these names; see {@link
 * ScriptSource}. A key of type {@link Type#ANY} is only looked for or written over, so that no script asks for its type.
 */
enum Key {
    /** Id → record: what the job is, written once. */
    JOBS(Type.HASH),
    /** Id → due, ms: jobs that are not running; of one that nodes could not run, when it is offered again. */
    WAITING(Type.ZSET),
    /** Id → lease expiry, ms: jobs handed to a node. */
    RESERVED(Type.ZSET),
    /** Id → time of death, ms: jobs given up. */
    DEAD(Type.ZSET),
    /** Id → what changes about a job, packed as include/facts.lua describes; absent until first needed. */
    FACTS(Type.HASH),
    /** Id → why the last attempt failed; absent until one did. */
    ERRORS(Type.HASH),
    /** Id → how far the job has come, percent=|text=; absent until it reports so. */
    PROGRESS(Type.HASH),
    /** Dedupe key → which job took it last, and for how long, as include/dedupe.lua describes. */
    DEDUPE(Type.HASH),
    /** Dedupe key → end, ms: the keys that are kept for a time. */
    WINDOWS(Type.ZSET),
    /** Id → end, ms: completed and cancelled jobs that are retained. */
    FINISHED(Type.ZSET),
    /** Id → record: of finished jobs that are retained. */
    ARCHIVE(Type.HASH),
    /** Id → how a retained job ended, packed as include/retain.lua describes. */
    OUTCOMES(Type.HASH),
    /** Counts claims that found jobs, makes tokens grow. */
    EPOCH(Type.STRING),
    /** Ids: the doorbell. */
    READY(Type.LIST),
    /** Ms, with expiry: of the jobs due up to here the holder knows the next. */
    WATERMARK(Type.STRING),
    /** A node, with expiry: who feeds the doorbell. */
    HOLDER(Type.STRING),
    /** With expiry: takers poll instead of being rung. */
    BUSY(Type.ANY),
    /** Exists while the queue is paused. */
    PAUSED(Type.ANY),
    /** When nodes fed, and what the data is known by, packed as include/pulse.lua describes. */
    PULSE(Type.ANY),
    /** Node → expiry, ms: the nodes that are alive. */
    NODES(Type.ZSET),
    /** Node → workers=|free=: how many jobs it runs at once, and how many more it could now. */
    WORKERS(Type.HASH),
    /** Node → the names of the jobs it can run, a line each. */
    HANDLERS(Type.HASH),
    /** Name, due and id, as include/hints.lua describes: jobs that nodes without their handler left to others. */
    HINTS(Type.ZSET),
    /** With expiry: number and answer of the last call of a lane; each lane has its own. */
    MEMO(Type.STRING),
    /** Queue → when a node named it last, ms: the queues that have jobs or nodes, at most 10,000; one key for all shards. */
    QUEUES(Type.ANY);

    /** What Redis calls the types of keys. */
    enum Type {
        HASH,
        ZSET,
        LIST,
        STRING,
        ANY
    }

    private final Type type;

    Key(Type type) {
        this.type = type;
    }

    /** As scripts call it, and the last part of the key in Redis. */
    String lowerName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As Lua has it: what Redis' TYPE answers, or false. */
    String luaType() {
        return type == Type.ANY ? "false" : "'" + type.name().toLowerCase(Locale.ROOT) + "'";
    }
}

package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.ShardId;

/**
 * Every key of one shard, all under one hash tag, so that a script may touch them together on a cluster: {@code
 * delayjob:{orders:0}:waiting}.
 *
 * @param prefix what all keys begin with
 * @param shard whose keys
 */
record Keys(String prefix, ShardId shard) {

    /**
     * The channel of notices to all nodes, for all shards. It is named after the first kind there was: the rights of Redis' users name
     * it too.
     */
    static String notices(String prefix) {
        return prefix + ":cancelled";
    }

    /** ZSET queue → when a node named it last, ms: the queues that have jobs or nodes, at most 10,000; one for all shards. */
    static String queues(String prefix) {
        return prefix + ":queues";
    }

    /** HASH id → record: what the job is, written once. */
    String jobs() {
        return key("jobs");
    }

    /** ZSET id → due, ms: jobs that are not running. */
    String waiting() {
        return key("waiting");
    }

    /** ZSET id → lease expiry, ms: jobs handed to a node. */
    String reserved() {
        return key("reserved");
    }

    /** ZSET id → time of death, ms: jobs given up. */
    String dead() {
        return key("dead");
    }

    /** HASH id → what changes about a job, packed as include/facts.lua says; absent until first needed. */
    String facts() {
        return key("facts");
    }

    /** HASH id → why the last attempt failed; absent until one did. */
    String errors() {
        return key("errors");
    }

    /** HASH id → percent|text: how far the job has come; absent until it says so. */
    String progress() {
        return key("progress");
    }

    /** HASH dedupe key → id|scope: which job took the key last, and for how long, as include/dedupe.lua says. */
    String dedupe() {
        return key("dedupe");
    }

    /** ZSET dedupe key → end, ms: the keys that are kept for a time. */
    String windows() {
        return key("windows");
    }

    /** ZSET id → end, ms: completed and cancelled jobs that are retained. */
    String finished() {
        return key("finished");
    }

    /** HASH id → record: of finished jobs that are retained. */
    String archive() {
        return key("archive");
    }

    /** HASH id → how a retained job ended, packed as include/retain.lua says. */
    String outcomes() {
        return key("outcomes");
    }

    /** STRING: counts claims that found jobs, makes tokens grow. */
    String epoch() {
        return key("epoch");
    }

    /** LIST of ids: the doorbell. */
    String ready() {
        return key("ready");
    }

    /** STRING ms, with expiry: everything due up to here has had its doorbell arranged. */
    String watermark() {
        return key("watermark");
    }

    /** STRING node, with expiry: who feeds the doorbell. */
    String holder() {
        return key("holder");
    }

    /** STRING, with expiry: takers poll instead of being rung. */
    String busy() {
        return key("busy");
    }

    /** STRING: the queue is paused. */
    String paused() {
        return key("paused");
    }

    /** STRING, packed as include/pulse.lua says: when nodes fed, and what the data is known by. */
    String pulse() {
        return key("pulse");
    }

    /** ZSET node → expiry, ms: the nodes that are alive. */
    String nodes() {
        return key("nodes");
    }

    /** HASH node → workers|free: how many jobs it runs at once, and how many more it could now. */
    String workers() {
        return key("workers");
    }

    /** HASH node → the names of the jobs it can run, a line each. */
    String handlers() {
        return key("handlers");
    }

    /** ZSET name, due and id, as include/hints.lua says: jobs that nodes without their handler left to others. */
    String hints() {
        return key("hints");
    }

    /** STRING, with expiry: number and answer of the last call of a lane. */
    String memo(String lane) {
        return key("memo:" + lane);
    }

    private String key(String name) {
        return prefix + ":{" + shard + "}:" + name;
    }
}

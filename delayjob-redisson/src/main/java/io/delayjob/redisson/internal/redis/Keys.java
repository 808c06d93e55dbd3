package io.delayjob.redisson.internal.redis;

import io.delayjob.redisson.internal.ledger.ShardId;

/**
 * Every key of one shard, all under one hash tag, so that a script may touch them together on a cluster: {@code
 * delayjob:{orders:0}:waiting}.
 *
 * @param prefix what all keys begin with
 * @param shard whose keys
 */
record Keys(String prefix, ShardId shard) {

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

    /** STRING: counts claimed jobs, makes tokens grow. */
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

    /** ZSET node → expiry, ms: the nodes that are alive. */
    String nodes() {
        return key("nodes");
    }

    /** STRING, with expiry: number and answer of the last call of a lane. */
    String memo(String lane) {
        return key("memo:" + lane);
    }

    private String key(String name) {
        return prefix + ":{" + shard + "}:" + name;
    }
}

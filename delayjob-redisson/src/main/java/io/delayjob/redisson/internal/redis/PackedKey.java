package io.delayjob.redisson.internal.redis;

/** A key of jobs as scripts have it in the facts of a job, without the bar that separates their fields. */
final class PackedKey {

    private PackedKey() {}

    static String of(String key) {
        return key.replace("%", "%25").replace("|", "%7C");
    }

    static String read(String packed) {
        return packed.replace("%7C", "|").replace("%25", "%");
    }
}

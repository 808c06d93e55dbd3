package io.delayjob.redisson.internal.redis;

import java.util.List;

/** Gives the keys of a call their names. */
@FunctionalInterface
interface KeyNames {

    /** The names of a script's keys, in the order in which the script expects them. */
    List<String> of(Script script);
}

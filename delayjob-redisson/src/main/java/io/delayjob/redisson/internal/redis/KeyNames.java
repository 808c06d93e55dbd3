package io.delayjob.redisson.internal.redis;

import java.util.List;

/** Names the keys of a call. */
@FunctionalInterface
interface KeyNames {

    /** The keys that a script is called with, in the order in which it takes them. */
    List<String> of(Script script);
}

package io.delayjob.redisson.internal.redis;

import java.util.List;

/**
 * A script, ready to be sent.
 *
 * @param text its Lua code, with all includes
 * @param keys the keys of every call, in this order
 * @param optional the keys that follow them if the caller sends them
 */
record Script(String text, List<Key> keys, List<Key> optional) {}

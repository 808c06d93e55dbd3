package io.delayjob.redisson.internal.redis;

import java.util.List;

/**
 * A script, ready to be sent.
 *
 * @param text its Lua, includes and all
 * @param keys which it is always called with, in this order
 * @param optional which follow them where the caller sends them
 */
record Script(String text, List<Key> keys, List<Key> optional) {}

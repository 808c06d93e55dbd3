package io.delayjob.server.internal.protocols.mykit;

import io.delayjob.server.redis.ServerRedis;
import java.util.function.LongSupplier;
import reactor.core.publisher.Mono;

/**
 * Makes ids that are numbers of 63 bits: the milliseconds since November 2010, the number of this server, and a number within the millisecond. Redis
 * gives each server a number when it makes its first id; 1024 servers later it comes again. Thread-safe.
 */
public final class Snowflakes implements MadeIds {

    private static final long EPOCH_MILLIS = 1_288_834_974_657L;
    private static final int SERVER_BITS = 10;
    private static final int SEQUENCE_BITS = 12;

    private final LongSupplier clock;
    private final Mono<Long> server;
    private long last;

    /** Ids of a server. */
    public Snowflakes(ServerRedis redis) {
        this(
                System::currentTimeMillis,
                Mono.fromFuture(() -> redis.ask(() ->
                        redis.client().getAtomicLong(redis.key("mykit-servers")).incrementAndGetAsync())));
    }

    Snowflakes(LongSupplier clock, Mono<Long> number) {
        this.clock = clock;
        // A failure is not cached: the next call asks Redis again.
        this.server = number.map(made -> made & ((1 << SERVER_BITS) - 1)).cacheInvalidateIf(made -> false);
    }

    @Override
    public Mono<String> next() {
        return server.map(number -> Long.toString(next(number)));
    }

    /** The next id. Ids ascend even when the clock goes back; those that a millisecond has no room for are taken from the next one. */
    private synchronized long next(long number) {
        long now = (clock.getAsLong() - EPOCH_MILLIS) << SEQUENCE_BITS;
        last = Math.max(now, last + 1);
        long sequence = last & ((1 << SEQUENCE_BITS) - 1);
        return (last >>> SEQUENCE_BITS) << (SERVER_BITS + SEQUENCE_BITS) | number << SEQUENCE_BITS | sequence;
    }
}

package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.Feed;

/** When nodes fed a shard, as in include/pulse.lua and include/beat.lua, except for lost data, which cannot happen in memory. */
final class Pulse {

    private static final long SILENCE = 5000;
    private static final long GRACE_PERIOD = 10_000;

    private final boolean leaps;
    private long fed;
    private long back;
    private long born;

    /**
     * The pulse of a shard that nobody has fed.
     *
     * @param leaps whether the clock is moved by hand, so that time without a feed means nothing
     */
    Pulse(boolean leaps) {
        this.leaps = leaps;
    }

    /** Notes a feed. */
    Feed.Pulse beat(long now) {
        if (born == 0) {
            born = now;
        } else if (now - fed > SILENCE) {
            back = now;
        } else if (back > now) {
            // The clock was set back, which makes leases last longer.
            back = 0;
        }
        fed = now;
        return new Feed.Pulse(born, now);
    }

    /** The end of the grace period, in which leases that ran out are left to their owners; 0 if there is none. */
    long gracePeriodEnd(long now) {
        if (born == 0 || leaps) {
            return 0;
        }
        long end = (now - fed > SILENCE ? now : back) + GRACE_PERIOD;
        return now < end ? end : 0;
    }
}

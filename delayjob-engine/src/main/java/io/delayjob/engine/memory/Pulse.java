package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.Feed;

/** When nodes fed a shard: what include/pulse.lua and include/beat.lua are, but for data that was lost, which cannot be here. */
final class Pulse {

    private static final long SILENCE = 5000;
    private static final long RESPITE = 10_000;

    private long fed;
    private long back;
    private long born;

    /** A node feeds. */
    Feed.Pulse beat(long now) {
        if (born == 0) {
            born = now;
        } else if (now - fed > SILENCE) {
            back = now;
        } else if (back > now) {
            // The clock was set back, and leases last longer by that.
            back = 0;
        }
        fed = now;
        return new Feed.Pulse(born, now);
    }

    /** Until when leases that ran out are left to their owners; 0 if they are not. */
    long respiteEnd(long now) {
        if (born == 0) {
            return 0;
        }
        long end = (now - fed > SILENCE ? now : back) + RESPITE;
        return now < end ? end : 0;
    }
}

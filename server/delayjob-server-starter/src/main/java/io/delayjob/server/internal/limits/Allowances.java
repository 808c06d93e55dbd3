package io.delayjob.server.internal.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.delayjob.server.Access;
import io.delayjob.server.limits.Limits;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;

/**
 * The allowances of all callers of this server, by name and limits: the old and the new token of a name share one, unless their limits
 * differ. The allowance of a caller who has been silent for an hour is dropped. Requests whose caller is not known are allowed nothing, and their refusals
 * are counted by address.
 */
public final class Allowances {

    private static final Duration SILENT = Duration.ofHours(1);
    private static final int MOST = 50_000;

    private final Cache<Owner, Allowance> all =
            Caffeine.newBuilder().expireAfterAccess(SILENT).maximumSize(MOST).build();
    private final Cache<String, Refusals> ofAddresses =
            Caffeine.newBuilder().expireAfterAccess(SILENT).maximumSize(MOST).build();
    private final Limits defaults;
    private final Duration burst;
    private final long keptADay;
    private final TimeMeter clock;

    /** The key of an allowance: the caller's name and its own limits. */
    private record Owner(String caller, Limits own) {}

    /**
     * Allowances.
     *
     * @param defaults the limits of those who have none of their own; both are set
     * @param burst how many seconds' worth may come at once
     * @param keptADay how many bytes of answers are kept for each within a day
     */
    public Allowances(Limits defaults, Duration burst, long keptADay) {
        this(defaults, burst, keptADay, TimeMeter.SYSTEM_NANOTIME);
    }

    Allowances(Limits defaults, Duration burst, long keptADay, TimeMeter clock) {
        this.defaults = defaults;
        this.burst = burst;
        this.keptADay = keptADay;
        this.clock = clock;
    }

    /** That of a caller. */
    public Allowance of(Access access) {
        return of(access.caller(), access.limits());
    }

    /** Counts a refused request of an unknown caller. Returns how long its answer is held back. */
    public Duration refused(Address address) {
        return ofAddresses.get(address.network(), from -> new Refusals(clock)).count();
    }

    /**
     * That of a caller.
     *
     * @param caller names it
     * @param own the limits of its own
     */
    Allowance of(String caller, Limits own) {
        return all.get(new Owner(caller, own), owner -> new Allowance(caller, own, defaults, burst, keptADay, clock));
    }
}

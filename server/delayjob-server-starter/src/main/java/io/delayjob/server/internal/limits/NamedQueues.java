package io.delayjob.server.internal.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.delayjob.server.limits.Places.Answer;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Bounds how many queues callers name at this server within some time, all together and each. Thread-safe. */
public final class NamedQueues {

    /** No bound for each caller. */
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    private final int most;
    private final int mostPerCaller;
    private final long keptNanos;
    private final LongSupplier nanoClock;
    private final Names all = new Names();
    private final Cache<String, Names> byCaller;

    /**
     * Queues that nobody has named.
     *
     * @param most how many all callers may name, or {@link #NO_LIMIT}
     * @param mostPerCaller how many a caller may name
     * @param kept how long a queue counts after it was named, at least as long as any wait of {@link #name}
     */
    public NamedQueues(int most, int mostPerCaller, Duration kept) {
        this(most, mostPerCaller, kept, System::nanoTime);
    }

    NamedQueues(int most, int mostPerCaller, Duration kept, LongSupplier nanoClock) {
        this.most = most;
        this.mostPerCaller = mostPerCaller;
        this.keptNanos = kept.toNanos();
        this.nanoClock = nanoClock;
        this.byCaller = Caffeine.newBuilder()
                .expireAfterAccess(kept.multipliedBy(2))
                .ticker(nanoClock::getAsLong)
                .build();
    }

    /**
     * Names queues for a caller, unless they are too many; those that it has named already are never too many.
     *
     * @param wait how much longer they count
     */
    public synchronized Answer name(String caller, Collection<String> queues, Duration wait) {
        Names its = byCaller.get(caller, name -> new Names());
        long now = nanoClock.getAsLong();
        if (!its.ends.keySet().containsAll(queues)) {
            if (!its.haveRoom(queues, mostPerCaller, now)) {
                return Answer.CALLER_HAS_ALL;
            } else if (most < NO_LIMIT && !all.haveRoom(queues, most, now)) {
                return Answer.ALL_TAKEN;
            }
        }
        long end = now + keptNanos + wait.toNanos();
        its.add(queues, end);
        if (most < NO_LIMIT) {
            all.add(queues, end);
        }
        return Answer.TAKEN;
    }

    /** Names, each with the time until which it counts. Names that no longer count are removed together when room is needed. */
    private static final class Names {

        private final Map<String, Long> ends = new HashMap<>();
        private long nextEnd;

        void add(Collection<String> names, long end) {
            nextEnd = ends.isEmpty() || end - nextEnd < 0 ? end : nextEnd;
            names.forEach(name -> ends.merge(name, end, Math::max));
        }

        boolean haveRoom(Collection<String> names, int most, long now) {
            if (with(names) > most && nextEnd - now < 0) {
                ends.values().removeIf(end -> end - now < 0);
                nextEnd = ends.values().stream()
                        .min(Comparator.comparing(end -> end - now))
                        .orElse(now);
            }
            return with(names) <= most;
        }

        private long with(Collection<String> names) {
            return ends.size()
                    + names.stream()
                            .distinct()
                            .filter(name -> !ends.containsKey(name))
                            .count();
        }
    }
}

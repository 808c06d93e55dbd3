package io.delayjob.server.internal.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.delayjob.server.limits.Places.Answer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** Bounds how many queues callers name at this server within some time, all together and each. Thread-safe. */
public final class NamedQueues {

    /** No bound for each caller. */
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    private final int most;
    private final int mostPerCaller;
    private final long keptNanos;
    private final LongSupplier nanoClock;
    private final Cache<String, Map<String, Long>> endsByCaller;

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
        this.endsByCaller = Caffeine.newBuilder()
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
        Map<String, Long> its = endsByCaller.get(caller, name -> new HashMap<>());
        long now = nanoClock.getAsLong();
        if (!its.keySet().containsAll(queues)) {
            if (with(queues, List.of(its), now).size() > mostPerCaller) {
                return Answer.CALLER_HAS_ALL;
            } else if (most < NO_LIMIT
                    && with(queues, endsByCaller.asMap().values(), now).size() > most) {
                return Answer.ALL_TAKEN;
            }
        }
        long end = now + keptNanos + wait.toNanos();
        queues.forEach(queue -> its.merge(queue, end, Math::max));
        return Answer.TAKEN;
    }

    /** Some queues, and those of the named ones that still count; the others of them are removed. */
    private static Set<String> with(Collection<String> queues, Collection<Map<String, Long>> named, long now) {
        Set<String> all = new HashSet<>(queues);
        named.forEach(ends -> {
            ends.values().removeIf(end -> end - now < 0);
            all.addAll(ends.keySet());
        });
        return all;
    }
}

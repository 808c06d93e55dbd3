package io.delayjob.server.internal.queues;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.server.Access;
import io.delayjob.server.internal.limits.Allowances;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Names of queues that a caller may know of, in their order: as many as one answer looks at.
 *
 * @param queues the names
 * @param next the last of them, if others follow; else null
 */
record QueuePage(List<String> queues, @Nullable String next) {

    /** The most queues of a page. */
    static final String MOST = "1000";

    /** How many queues are asked about at once: more would keep others waiting for Redis. */
    private static final int AT_ONCE = 4;

    /**
     * A page. Each of its queues counts as a request of the caller, because Redis is asked about each.
     *
     * @param allowances the remaining allowance of each caller
     * @param after the name that they follow; null for the first ones
     * @param limit how many
     * @throws IllegalArgumentException if the limit is out of range
     */
    static Mono<QueuePage> of(
            AsyncDelayJobAdmin admin, Allowances allowances, Access access, @Nullable String after, int limit) {
        if (limit < 1 || limit > Integer.parseInt(MOST)) {
            throw new IllegalArgumentException("limit must be 1 to " + MOST + ": " + limit);
        }
        return Mono.fromFuture(admin::queues)
                .map(all -> of(all, access, after, limit))
                .doOnNext(page -> allowances.of(access).asked(page.queues().size()));
    }

    /** Asks about each of its queues. Returns the answers in their order. */
    <T> Mono<List<T>> ask(Function<String, Mono<T>> question) {
        return Flux.fromIterable(queues).flatMapSequential(question, AT_ONCE).collectList();
    }

    private static QueuePage of(Collection<String> all, Access access, @Nullable String after, int limit) {
        List<String> its = all.stream()
                .filter(access::isFor)
                .filter(queue -> after == null || queue.compareTo(after) > 0)
                .sorted()
                .limit(limit + 1L)
                .toList();
        return its.size() <= limit
                ? new QueuePage(its, null)
                : new QueuePage(its.subList(0, limit), its.get(limit - 1));
    }
}

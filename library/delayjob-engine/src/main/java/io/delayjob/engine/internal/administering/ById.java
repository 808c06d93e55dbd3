package io.delayjob.engine.internal.administering;

import io.delayjob.engine.internal.calls.Shard;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Asks the shards of a queue about a job, of which the id alone is known. First that of the id, then the one that it points to, because a job with a key or a
 * dedupe key is in the shard of that, and then all others at once: a pointer may be lost, and that of a finished job is removed.
 *
 * @param ask asks a shard
 * @param rank {@link #NONE} for the answer of a shard that has no such job, {@link #SURE} for that of one that has it; an answer of another rank may be of
 *     an ended job whose id another one has now. The highest counts
 */
record ById<R>(Function<Shard, CompletableFuture<R>> ask, ToIntFunction<R> rank) {

    static final int NONE = 0;
    static final int SURE = 2;

    /**
     * Asks. Answers for the shard that has the job, else for that of the id.
     *
     * @param home the shard of the id
     * @param all all shards of the queue
     */
    CompletableFuture<R> ask(String id, Shard home, List<Shard> all) {
        List<Shard> others = without(all, List.of(home));
        return ask.apply(home)
                .thenCompose(answer -> rank.applyAsInt(answer) > NONE || others.isEmpty()
                        ? CompletableFuture.completedFuture(answer)
                        : elsewhere(id, home, others)
                                .thenApply(found -> found.filter(other -> rank.applyAsInt(other) > NONE)
                                        .orElse(answer)));
    }

    private CompletableFuture<Optional<R>> elsewhere(String id, Shard home, List<Shard> others) {
        return home.ledger().pointers().find(id).thenCompose(pointer -> {
            List<Shard> pointedTo = others.stream()
                    .filter(shard -> pointer.isPresent()
                            && shard.id().number() == pointer.get().shard())
                    .toList();
            return highest(pointedTo)
                    .thenCompose(found -> found.filter(answer -> rank.applyAsInt(answer) == SURE)
                                    .isPresent()
                            ? CompletableFuture.completedFuture(found)
                            : highest(without(others, pointedTo)).thenApply(other -> higher(found, other)));
        });
    }

    private static List<Shard> without(List<Shard> shards, List<Shard> some) {
        return shards.stream()
                .filter(shard -> some.stream().noneMatch(one -> one.id().equals(shard.id())))
                .toList();
    }

    /** Asks shards at once. Answers the answer with the highest rank; nothing if there are no shards. */
    private CompletableFuture<Optional<R>> highest(List<Shard> shards) {
        return shards.stream()
                .map(ask)
                .reduce((some, other) -> some.thenCombine(other, BinaryOperator.maxBy(byRank())))
                .map(answer -> answer.thenApply(Optional::of))
                .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
    }

    private Optional<R> higher(Optional<R> one, Optional<R> other) {
        return Stream.of(one, other).flatMap(Optional::stream).max(byRank());
    }

    private Comparator<R> byRank() {
        return Comparator.comparingInt(rank);
    }
}

package io.delayjob.engine.ledger;

import io.delayjob.engine.ledger.Pointers.Wanted;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Points the id of one job to the shard where it is about to be stored, which shows the pointer there. An id that points elsewhere is in use if
 * there is a job; if there is none, that pointer is revoked there, so that no submit which still shows it stores a job, and replaced.
 *
 * @param id the id
 * @param home the shard of the id
 * @param shard the shard of the job
 * @param calls the calls to the shards of the queue
 */
public record Pointing(String id, int home, int shard, Calls calls) {

    /** Calls to the shards of a queue, by their numbers. */
    public interface Calls {

        /** Points an id of a shard, see {@link Pointers#point}. */
        CompletableFuture<Optional<Pointer>> point(int home, Wanted wanted);

        /** Revokes a pointer where it points to, see {@link Pointers#revoke}. */
        CompletableFuture<Boolean> revoke(Pointer pointer);
    }

    /** Answers a pointer to the shard of the job, or nothing if another shard has an unfinished job with the id, or its own shard has. */
    public CompletableFuture<Optional<Pointer>> point() {
        return pointInPlaceOf(null);
    }

    private CompletableFuture<Optional<Pointer>> pointInPlaceOf(@Nullable Pointer replaced) {
        Wanted wanted = new Wanted(id, shard, UUID.randomUUID().toString(), replaced);
        return calls.point(home, wanted)
                .thenCompose(answer -> answer.isEmpty() || answer.get().shard() == shard
                        ? CompletableFuture.completedFuture(answer)
                        : replace(answer.get()));
    }

    /** Points anew after a pointer that did not count where it was shown, or that points elsewhere. Answers as {@link #point()}. */
    public CompletableFuture<Optional<Pointer>> replace(Pointer pointer) {
        return calls.revoke(pointer)
                .thenCompose(revoked ->
                        revoked ? pointInPlaceOf(pointer) : CompletableFuture.completedFuture(Optional.empty()));
    }
}

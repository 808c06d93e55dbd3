package io.delayjob.engine.ledger;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The pointers of one shard: of the ids that belong to it, and to it from others. A submit first points the id to the shard that it goes to, and then
 * shows the {@link Pointer} there. To point an id elsewhere, a pointer is first revoked where it points to, which fails while there is a job. Each step is
 * safe to repeat.
 */
public interface Pointers {

    /**
     * Points ids of this shard to others. Answers for each the pointer that is there now, which is another one if it was not to be replaced; or
     * nothing if this shard has an unfinished job with the id.
     */
    CompletableFuture<List<Optional<Pointer>>> point(List<Wanted> wanted);

    /** Reads the pointer of an id of this shard. Its job may have ended. */
    CompletableFuture<Optional<Pointer>> find(String id);

    /** Revokes pointers to this shard. Answers false for a pointer that is not revoked, because this shard has an unfinished job with its id. */
    CompletableFuture<List<Boolean>> revoke(List<Pointer> pointers);

    /**
     * Removes pointers of this shard whose jobs have ended, and reads others that no submit shows any more, see {@link Pointer#OVER_MILLIS}.
     *
     * @param cursor that of the page before; {@link Page#FIRST} to begin
     * @param ended the pointers to remove; one that has changed since it was read stays
     */
    CompletableFuture<Page> sweep(String cursor, List<Pointer> ended);

    /**
     * A pointer to be made.
     *
     * @param id the id
     * @param shard the number of the shard to point to; that of this shard to remove the pointer
     * @param token its token, which was never used before
     * @param replaced the pointer in whose place it comes, which stays if it has changed since it was read; null if there should be none
     */
    record Wanted(
            String id, int shard, String token, @Nullable Pointer replaced) {}

    /**
     * Some pointers.
     *
     * @param cursor the cursor of the next page; {@link #FIRST} after the last
     * @param old those that no submit shows any more
     */
    record Page(String cursor, List<Pointer> old) {

        /** The cursor of the first page. */
        public static final String FIRST = "0";
    }
}

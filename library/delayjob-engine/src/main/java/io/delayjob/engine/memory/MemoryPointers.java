package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.Pointer;
import io.delayjob.engine.ledger.Pointers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The pointers of a shard in memory. */
record MemoryPointers(MemoryLedger ledger, MemoryShard shard, int number) implements Pointers {

    /** The pointers that a shard keeps, and those to it that were revoked. */
    static final class Kept {

        private final Map<String, Pointer> ofIds = new HashMap<>();
        private final Map<String, Long> revoked = new HashMap<>();

        /** Whether no job of an id is stored, because one is elsewhere, or may be. */
        boolean refuses(String id, @Nullable Pointer shown, long now) {
            return ofIds.containsKey(id)
                    || (shown != null
                            && (now - shown.millis() > Pointer.SHOWN_MILLIS || revoked.containsKey(shown.token())));
        }
    }

    @Override
    public CompletableFuture<List<Optional<Pointer>>> point(List<Wanted> wanted) {
        return ledger.step(now -> {
            List<Optional<Pointer>> pointers = new ArrayList<>();
            wanted.forEach(one ->
                    pointers.add(shard.jobs.containsKey(one.id()) ? Optional.empty() : Optional.of(point(one, now))));
            return pointers;
        });
    }

    private Pointer point(Wanted wanted, long now) {
        Map<String, Pointer> ofIds = shard.pointers.ofIds;
        Pointer held = ofIds.get(wanted.id());
        if (held != null && !held.token().equals(wanted.token()) && !held.equals(wanted.replaced())) {
            if (held.shard() != wanted.shard()) {
                return held;
            }
            Pointer told = new Pointer(held.id(), held.shard(), held.token(), now);
            ofIds.put(told.id(), told);
            return told;
        }
        Pointer pointer = new Pointer(wanted.id(), wanted.shard(), wanted.token(), now);
        if (pointer.shard() == number) {
            ofIds.remove(pointer.id());
        } else {
            ofIds.put(pointer.id(), pointer);
            shard.finished.remove(pointer.id());
        }
        return pointer;
    }

    @Override
    public CompletableFuture<Optional<Pointer>> find(String id) {
        return ledger.step(now -> Optional.ofNullable(shard.pointers.ofIds.get(id)));
    }

    @Override
    public CompletableFuture<List<Boolean>> revoke(List<Pointer> pointers) {
        return ledger.step(now -> {
            List<Boolean> revoked = new ArrayList<>();
            for (Pointer pointer : pointers) {
                boolean exists = shard.jobs.containsKey(pointer.id());
                if (!exists) {
                    shard.pointers.revoked.put(pointer.token(), now);
                }
                revoked.add(!exists);
            }
            shard.pointers.revoked.values().removeIf(since -> since <= now - Pointer.OVER_MILLIS);
            return revoked;
        });
    }

    @Override
    public CompletableFuture<Page> sweep(String cursor, List<Pointer> ended) {
        return ledger.step(now -> {
            ended.forEach(pointer -> shard.pointers.ofIds.remove(pointer.id(), pointer));
            return new Page(
                    Page.FIRST,
                    shard.pointers.ofIds.values().stream()
                            .filter(pointer -> now - pointer.millis() > Pointer.OVER_MILLIS)
                            .toList());
        });
    }
}

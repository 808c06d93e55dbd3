package io.delayjob.journal.internal.restoring;

import io.delayjob.engine.ledger.Ledger;
import io.delayjob.journal.internal.tables.Parts;
import java.util.List;
import java.util.function.Consumer;

/** Goes through a long list in parts that one call may have. */
final class Pages {

    private Pages() {}

    static <T> void each(List<T> all, Consumer<List<T>> step) {
        each(all, Ledger.MAX_BATCH, step);
    }

    static <T> void each(List<T> all, int size, Consumer<List<T>> step) {
        Parts.each(all, size, step);
    }
}

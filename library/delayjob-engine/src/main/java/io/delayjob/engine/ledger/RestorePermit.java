package io.delayjob.engine.ledger;

/**
 * The right to put jobs back into a shard. Only the restore that began last has it, and each of its calls shows how many came before,
 * so that a call that was held up, while another restore went on or the call was repeated, stores nothing.
 *
 * @param term the term with which the restore began, see {@link Ledger#beginRestore}
 * @param calls how many calls of this restore have stored jobs
 */
public record RestorePermit(String term, long calls) {

    /** That of the first call of a restore. */
    public static RestorePermit first(String term) {
        return new RestorePermit(term, 0);
    }

    /** That of the call after this one. */
    public RestorePermit next() {
        return new RestorePermit(term, calls + 1);
    }

    /** The form that a ledger stores: {@code term:calls}. */
    @Override
    public String toString() {
        return term + ":" + calls;
    }
}

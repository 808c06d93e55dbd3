package io.delayjob.engine.ledger;

/**
 * Says in which shard a job is whose id, given by its caller, belongs to another shard than its key or dedupe key. The id's own shard keeps it, so that
 * no other job of the queue gets the id.
 *
 * @param id the id of the job
 * @param shard the number of the shard that it points to; that of the id's own shard if it points nowhere else
 * @param token tells it from other pointers of the id
 * @param millis when a submit was last told of it, by the clock of the id's own shard, in milliseconds since 1970
 */
public record Pointer(String id, int shard, String token, long millis) {

    /** For how long a submit may show it. */
    public static final long SHOWN_MILLIS = 300_000;

    /**
     * From when on no submit shows it, by the clock of whatever shard: clocks of servers may differ by up to the rest. Shards remember for so long which
     * pointers were revoked.
     */
    public static final long OVER_MILLIS = 900_000;
}

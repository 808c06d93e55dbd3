package io.delayjob.journal.internal.submitting;

import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.ShardId;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What submits need to know of Redis. */
public interface Redis {

    /**
     * Lets the flow log of a shard go; answers its fence.
     *
     * @throws CompletionException if Redis does not answer
     */
    Fence beginLog(ShardId shard);

    /** Whether Redis has an unfinished job; false if it does not say so soon. */
    boolean has(ShardId shard, String id);

    /**
     * Asks ledgers.
     *
     * @param ledgers opens the ledger of a shard
     * @param bound the most entries of a flow log
     */
    static Redis of(Function<ShardId, Ledger> ledgers, long bound) {
        return new Redis() {

            private static final Logger log = LoggerFactory.getLogger(Redis.class);

            @Override
            public Fence beginLog(ShardId shard) {
                return ledgers.apply(shard)
                        .flow(new Flow.Request(null, 0, bound))
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join()
                        .fence();
            }

            @Override
            public boolean has(ShardId shard, String id) {
                try {
                    return ledgers.apply(shard)
                            .missing(List.of(id))
                            .orTimeout(1, TimeUnit.SECONDS)
                            .join()
                            .ids()
                            .isEmpty();
                } catch (CompletionException e) {
                    log.debug("whether {} has job {} is decided when the job comes to Redis", shard, id, e);
                    return false;
                }
            }
        };
    }
}

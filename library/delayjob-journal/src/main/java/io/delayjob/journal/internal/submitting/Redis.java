package io.delayjob.journal.internal.submitting;

import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.ShardId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls to Redis that submits need. */
public interface Redis {

    /**
     * Lets the flow log of a shard go; answers its fence.
     *
     * @throws CompletionException if Redis does not answer
     */
    Fence beginLog(ShardId shard);

    /** Which of these ids are not those of unfinished jobs of a shard; all of them if Redis does not say so soon. */
    Set<String> missing(ShardId shard, List<String> ids);

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
            public Set<String> missing(ShardId shard, List<String> ids) {
                Set<String> missing = new HashSet<>();
                for (int from = 0; from < ids.size(); from += Ledger.MAX_BATCH) {
                    List<String> some = ids.subList(from, Math.min(ids.size(), from + Ledger.MAX_BATCH));
                    try {
                        missing.addAll(ledgers.apply(shard)
                                .missing(some)
                                .orTimeout(1, TimeUnit.SECONDS)
                                .join()
                                .ids());
                    } catch (CompletionException e) {
                        log.debug("whether {} has these jobs is decided when they come there: {}", shard, some, e);
                        return Set.copyOf(ids);
                    }
                }
                return missing;
            }
        };
    }
}

package io.delayjob.spring.autoconfigure;

import io.delayjob.spring.InvalidConfigurationException;
import io.delayjob.support.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The journal, in an application that has delayjob-journal.
 *
 * @param mode Which submits are written to the journal's database before Redis has them: off (none), transactional (those inside a
 *     transaction of that database) or always (all). Has no effect without delayjob-journal.
 * @param dataSource Name of the DataSource bean to use. If not set, it is the only or the primary one.
 * @param migrate Whether startup makes and changes the journal's tables. If false, they must be there.
 * @param horizon Jobs that are due later than this wait in the database alone, and come to Redis this long before they are due. At least 1
 *     min. If not set, all jobs come to Redis at once.
 * @param retention How long the rows of finished jobs are kept.
 * @param flowRetention How long the steps of jobs are kept.
 * @param maxFlowEntries How many entries the flow log of a shard may have in Redis. A queue whose database is away for so long stops.
 * @param maxLag How long a step may wait to be written, or a job to be brought to Redis, before the node is DOWN. 0: no limit.
 * @param restoreAutomatically Whether jobs are put back without being asked for when Redis was emptied or has older data.
 */
@ConfigurationProperties("delayjob.journal")
public record DelayJobJournalProperties(
        @DefaultValue("transactional") Mode mode,
        @Nullable String dataSource,
        @DefaultValue("true") boolean migrate,
        @Nullable Duration horizon,
        @DefaultValue("7d") Duration retention,
        @DefaultValue("7d") Duration flowRetention,
        @DefaultValue("100000") long maxFlowEntries,
        @DefaultValue("1m") Duration maxLag,
        @DefaultValue("false") boolean restoreAutomatically) {

    private static final Duration SHORTEST_HORIZON = Duration.ofMinutes(1);

    /** Which submits are written to the database before Redis has them. */
    public enum Mode {
        /** None: the queue has no journal. */
        OFF,
        /** Those inside a transaction of the database. */
        TRANSACTIONAL,
        /** All. */
        ALWAYS
    }

    /**
     * Lets them be, or not.
     *
     * @return these
     * @throws InvalidConfigurationException if one is out of its range, naming it
     */
    public DelayJobJournalProperties checked() {
        return PropertyChecks.under("delayjob.journal", () -> {
            if (horizon != null && horizon.compareTo(SHORTEST_HORIZON) < 0) {
                throw new IllegalArgumentException("horizon must be at least 1 m: " + horizon);
            }
            Checks.positive(retention, "retention");
            Checks.positive(flowRetention, "flowRetention");
            Checks.notNegative(maxLag, "maxLag");
            if (maxFlowEntries < 1000) {
                throw new IllegalArgumentException("maxFlowEntries must be at least 1000: " + maxFlowEntries);
            }
            return this;
        });
    }
}

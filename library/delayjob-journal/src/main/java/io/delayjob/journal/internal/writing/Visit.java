package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.Flow;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The visits of one shard: soon again where something was written, and less and less often while nothing is. No thread waits for the look that each begins
 * with, so that a silent master holds up no other shards.
 */
final class Visit implements Schedule.Task {

    private static final Logger log = LoggerFactory.getLogger(Visit.class);
    private static final long SOON_MILLIS = 200;
    private static final long LATE_MILLIS = 1000;

    private final ShardWriter writer;
    private final Schedule schedule;
    private final WriterOutages outages;
    private final BooleanSupplier takeBeyond;
    private long pauseMillis = SOON_MILLIS;
    private @Nullable CompletableFuture<Flow.Page> look;
    private volatile boolean over;

    /**
     * Visits a shard.
     *
     * @param schedule has the visits
     * @param takeBeyond answers once whether something is to be done at the end of its log
     */
    Visit(ShardWriter writer, Schedule schedule, WriterOutages outages, BooleanSupplier takeBeyond) {
        this.writer = writer;
        this.schedule = schedule;
        this.outages = outages;
        this.takeBeyond = takeBeyond;
    }

    ShardWriter writer() {
        return writer;
    }

    /** Ends the visits: the shard has no journal any more. */
    void end() {
        over = true;
        outages.over(writer.shard());
    }

    @Override
    public @Nullable Duration run() {
        if (over) {
            // The last visit may have failed after the end.
            outages.over(writer.shard());
            return null;
        }
        try {
            CompletableFuture<Flow.Page> begun = look;
            look = null;
            return begun == null ? begin() : goOn(begun);
        } catch (RedisAway e) {
            return e.forGood() ? null : outages.redis().failed(writer.shard(), e);
        } catch (AfterDrainFailed e) {
            outages.written(writer.shard());
            return outages.beyond().failed(writer.shard(), e);
        } catch (RuntimeException e) {
            return outages.database().failed(writer.shard(), e);
        }
    }

    private @Nullable Duration begin() {
        CompletableFuture<Flow.Page> begun = writer.look();
        look = begun;
        schedule.addAfter(begun, this);
        return null;
    }

    private Duration goOn(CompletableFuture<Flow.Page> begun) {
        ShardWriter.Found found = writer.visit(LedgerReply.of(begun), takeBeyond.getAsBoolean());
        outages.over(writer.shard());
        return pause(found);
    }

    private Duration pause(ShardWriter.Found found) {
        pauseMillis = switch (found) {
            case NOTHING -> Math.min(LATE_MILLIS, 2 * Math.max(SOON_MILLIS / 2, pauseMillis));
            case SOMETHING -> SOON_MILLIS;
            case MORE -> 0;
            case BUSY -> LATE_MILLIS;
        };
        return Duration.ofMillis(pauseMillis);
    }

    @Override
    public void last(long deadlineNanos) {
        try {
            boolean more = true;
            while (more && System.nanoTime() < deadlineNanos) {
                more = writer.visit(false) == ShardWriter.Found.MORE;
            }
        } catch (RuntimeException e) {
            log.info(
                    "what the flow log of {} still has is left to other nodes or the next start: {}",
                    writer.shard(),
                    e.toString());
        }
    }

    @Override
    public String toString() {
        return "the visit of " + writer.shard();
    }
}

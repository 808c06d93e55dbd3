package io.delayjob.redisson.internal.engine;

import io.delayjob.DelayJobAdmin;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.QueueCounts;
import io.delayjob.internal.Checks;
import io.delayjob.redisson.internal.ledger.Ledger;
import io.delayjob.redisson.internal.ledger.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks at jobs and acts on them, shard by shard. */
final class Admin implements DelayJobAdmin {

    private final Queues queues;
    private final RecordCodec records = new RecordCodec();

    Admin(Queues queues) {
        this.queues = queues;
    }

    @Override
    public Optional<JobSnapshot> find(String queue, String id) {
        return Futures.await(shard(queue, id).ledger().find(id)).map(stored -> snapshot(queue, id, stored));
    }

    private JobSnapshot snapshot(String queue, String id, StoredJob stored) {
        try {
            return snapshot(queue, id, stored, records.read(stored.record()));
        } catch (UnreadableRecordException e) {
            return snapshot(queue, id, stored, null);
        }
    }

    private static JobSnapshot snapshot(String queue, String id, StoredJob stored, @Nullable JobRecord record) {
        Instant at = Instant.ofEpochMilli(stored.atMillis());
        boolean reserved = stored.state() == JobState.RESERVED;
        boolean dead = stored.state() == JobState.DEAD;
        return new JobSnapshot(
                queue,
                id,
                record == null ? null : record.job(),
                stored.state(),
                stored.attempt(),
                dead ? null : reserved ? instant(stored.dueMillis()) : at,
                record == null ? null : instant(record.submittedAtMillis()),
                reserved ? at : null,
                stored.node(),
                dead ? at : null,
                stored.error(),
                record == null ? Map.of() : record.headers(),
                record == null
                        ? String.valueOf(stored.record())
                        : record.param().toString());
    }

    private static @Nullable Instant instant(@Nullable Long millis) {
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }

    @Override
    public boolean cancel(String queue, String id) {
        return Futures.await(shard(queue, id).cancel(id));
    }

    @Override
    public boolean reschedule(String queue, String id, Duration delay) {
        long millis = Checks.ceilMillis(Checks.delay(delay));
        return Futures.await(shard(queue, id).reschedule(new Ledger.Rescheduled(id, millis)));
    }

    @Override
    public boolean redrive(String queue, String id) {
        return Futures.await(shard(queue, id).redrive(id));
    }

    @Override
    public int redriveAll(String queue, int limit) {
        int left = Checks.atLeastOne(limit, "limit");
        for (Shard shard : queues.shards(Checks.queue(queue))) {
            left -= redriveAll(shard, left);
        }
        return limit - left;
    }

    private static int redriveAll(Shard shard, int limit) {
        int done = 0;
        int chunk = 1;
        while (chunk > 0 && done < limit) {
            chunk = Futures.await(shard.redriveAll(Math.min(Ledger.MAX_BATCH, limit - done)));
            done += chunk;
        }
        return done;
    }

    @Override
    public QueueCounts counts(String queue) {
        return queues.shards(Checks.queue(queue)).stream()
                .map(shard -> Futures.await(shard.ledger().counts()))
                .reduce(new QueueCounts(0, 0, 0, 0, false), Admin::sum);
    }

    private static QueueCounts sum(QueueCounts a, QueueCounts b) {
        return new QueueCounts(
                a.delayed() + b.delayed(),
                a.ready() + b.ready(),
                a.reserved() + b.reserved(),
                a.dead() + b.dead(),
                a.paused() || b.paused());
    }

    @Override
    public void pause(String queue) {
        queues.shards(Checks.queue(queue))
                .forEach(shard -> Futures.await(shard.ledger().pause(true)));
    }

    @Override
    public void resume(String queue) {
        queues.shards(Checks.queue(queue))
                .forEach(shard -> Futures.await(shard.ledger().pause(false)));
    }

    private Shard shard(String queue, String id) {
        return queues.shard(Checks.queue(queue), Checks.id(id));
    }
}

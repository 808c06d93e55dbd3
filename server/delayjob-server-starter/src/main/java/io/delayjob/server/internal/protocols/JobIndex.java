package io.delayjob.server.internal.protocols;

import static org.redisson.api.BatchOptions.ExecutionMode.REDIS_WRITE_ATOMIC;

import io.delayjob.ClaimedJob;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.redis.ServerRedis;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.redisson.api.BatchOptions;
import org.redisson.api.RBatch;
import org.redisson.api.RBucket;
import org.redisson.api.RBucketAsync;

/**
 * Where the jobs of a protocol are, by their ids, in Redis. It says where to look first: whether a job exists is for the ledger alone to say,
 * so an entry may be missing, or be left over from a job that has ended.
 */
public final class JobIndex {

    /** How long an entry outlives the due time of its job; it is renewed whenever the job is handed out. */
    private static final Duration KEPT = Duration.ofDays(35);

    private final ServerRedis redis;
    private final String keyPrefix;

    /**
     * The index of a protocol.
     *
     * @param protocol the name of the protocol
     */
    public JobIndex(ServerRedis redis, String protocol) {
        this.redis = redis;
        this.keyPrefix = redis.key(protocol + ":");
    }

    private RBucket<String> bucket(String id) {
        return redis.client().getBucket(keyPrefix + id, DelayJobRedis.TEXT);
    }

    /**
     * Notes the place of a new job, unless its id has one.
     *
     * @param wait how long the job waits until it is due
     * @return that which it has; empty if this one was noted
     */
    CompletableFuture<Optional<JobPlace>> note(String id, JobPlace place, Duration wait) {
        return redis.ask(() -> bucket(id).setIfAbsentAsync(place.text(), wait.plus(KEPT)))
                .thenCompose(noted -> noted ? CompletableFuture.completedFuture(Optional.empty()) : find(id));
    }

    CompletableFuture<Optional<JobPlace>> find(String id) {
        return redis.ask(() -> bucket(id).getAsync())
                .thenApply(text -> Optional.ofNullable(text).map(JobPlace::parse));
    }

    /**
     * Notes the place of a new job where its id has an entry that was left over from another job of the same queue.
     *
     * @param old the leftover entry; if another entry, that of a reservation, has replaced it by now, that one stays as it is
     * @param wait how long the job waits until it is due
     */
    CompletableFuture<Void> renew(String id, JobPlace old, JobPlace place, Duration wait) {
        RBatch batch = redis.client().createBatch(BatchOptions.defaults().executionMode(REDIS_WRITE_ATOMIC));
        RBucketAsync<String> entry = batch.getBucket(keyPrefix + id, DelayJobRedis.TEXT);
        entry.compareAndSetAsync(old.text(), place.text());
        entry.setIfAbsentAsync(place.text());
        entry.expireAsync(wait.plus(KEPT));
        return redis.ask(() -> batch.executeAsync()).thenAccept(done -> {});
    }

    /** Removes an entry, unless it is another one by now. */
    CompletableFuture<Boolean> remove(String id, JobPlace place) {
        return redis.ask(() -> bucket(id).compareAndSetAsync(place.text(), null));
    }

    /** Notes the reservations of jobs that were handed out. */
    CompletableFuture<Void> reserved(List<ClaimedJob> jobs) {
        RBatch batch = redis.client().createBatch();
        jobs.forEach(job -> batch.<String>getBucket(keyPrefix + job.id(), DelayJobRedis.TEXT)
                .setAsync(JobPlace.reserved(job.queue(), job.handle()).text(), KEPT));
        return redis.ask(() -> batch.executeAsync()).thenAccept(done -> {});
    }
}

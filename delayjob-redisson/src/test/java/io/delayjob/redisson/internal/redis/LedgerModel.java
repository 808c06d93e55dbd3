package io.delayjob.redisson.internal.redis;

import io.delayjob.JobState;
import io.delayjob.redisson.internal.ledger.Lease;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the ledger promises, in plain Java: the scripts must agree with it after every step. */
final class LedgerModel {

    /** A job; DELAYED stands for both states that wait. */
    record Job(
            String id,
            JobState state,
            long score,
            int attempt,
            @Nullable Long due,
            @Nullable Long lease,
            @Nullable Long since,
            String token,
            String node,
            @Nullable String error) {

        Job with(JobState newState, long newScore) {
            return new Job(id, newState, newScore, attempt, due, lease, since, token, node, error);
        }

        Job free(int newAttempt, @Nullable Long newSince, @Nullable String newError) {
            return new Job(id, state, score, newAttempt, due, lease, newSince, "", "", newError);
        }

        Job revived() {
            return new Job(id, state, score, 0, null, lease, null, token, node, error);
        }
    }

    final Map<String, Job> jobs = new TreeMap<>();
    long now = TestShard.START;
    private long epoch;

    boolean submit(String id, long delay, @Nullable Long lease) {
        Job job = new Job(id, JobState.DELAYED, now + delay, 0, null, lease, null, "", "", null);
        return jobs.putIfAbsent(id, job) == null;
    }

    /** Expired leases first, then due jobs, each by time and then by id. */
    List<Lease> claim(int limit, long queueLease, String random, String node) {
        List<Job> taken = new ArrayList<>(inOrder(job -> job.state() == JobState.RESERVED && job.score() <= now));
        taken.addAll(inOrder(job -> job.state() == JobState.DELAYED && job.score() <= now));
        return taken.stream()
                .limit(limit)
                .map(job -> reserve(job, queueLease, random, node))
                .toList();
    }

    private Lease reserve(Job job, long queueLease, String random, String node) {
        epoch++;
        String token = epoch + ":" + random;
        long expiry = now + (job.lease() == null ? queueLease : job.lease());
        Long due = job.state() == JobState.DELAYED ? Long.valueOf(job.score()) : job.due();
        jobs.put(
                job.id(),
                new Job(
                        job.id(),
                        JobState.RESERVED,
                        expiry,
                        job.attempt() + 1,
                        due,
                        job.lease(),
                        job.since(),
                        token,
                        node,
                        job.error()));
        return new Lease(job.id(), token);
    }

    boolean complete(Lease lease) {
        return held(lease) != null && jobs.remove(lease.id()) != null;
    }

    boolean retry(Lease lease, long backoff, String error) {
        Job job = held(lease);
        return job != null && put(job.with(JobState.DELAYED, now + backoff).free(job.attempt(), null, error));
    }

    boolean bury(Lease lease, String reason) {
        Job job = held(lease);
        return job != null && put(job.with(JobState.DEAD, now).free(job.attempt(), null, reason));
    }

    boolean release(Lease lease, @Nullable Long unable) {
        Job job = held(lease);
        if (job == null) {
            return false;
        }
        long due = unable != null ? now + unable : job.due() == null ? now : job.due();
        Long since = unable != null && job.since() == null ? Long.valueOf(now) : job.since();
        return put(job.with(JobState.DELAYED, due).free(job.attempt() - 1, since, job.error()));
    }

    boolean renew(Lease lease, long millis) {
        Job job = held(lease);
        return job != null && put(job.with(JobState.RESERVED, Math.max(job.score(), now + millis)));
    }

    boolean cancel(String id) {
        return in(id, JobState.DELAYED) && jobs.remove(id) != null;
    }

    boolean reschedule(String id, long delay) {
        return in(id, JobState.DELAYED) && put(job(id).with(JobState.DELAYED, now + delay));
    }

    boolean redrive(String id) {
        return in(id, JobState.DEAD) && put(job(id).with(JobState.DELAYED, now).revived());
    }

    int redriveAll(int limit) {
        List<Job> dead = inOrder(job -> job.state() == JobState.DEAD);
        List<Job> first = dead.subList(0, Math.min(limit, dead.size()));
        first.forEach(job -> redrive(job.id()));
        return first.size();
    }

    private @Nullable Job held(Lease lease) {
        Job job = jobs.get(lease.id());
        return job != null && job.token().equals(lease.token()) ? job : null;
    }

    private boolean in(String id, JobState state) {
        return jobs.containsKey(id) && job(id).state() == state;
    }

    private Job job(String id) {
        Job job = jobs.get(id);
        if (job == null) {
            throw new IllegalStateException("no job " + id);
        }
        return job;
    }

    private boolean put(Job job) {
        jobs.put(job.id(), job);
        return true;
    }

    private List<Job> inOrder(Predicate<Job> which) {
        return jobs.values().stream()
                .filter(which)
                .sorted(Comparator.comparingLong(Job::score).thenComparing(Job::id))
                .toList();
    }
}

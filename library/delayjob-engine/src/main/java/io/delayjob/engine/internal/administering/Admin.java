package io.delayjob.engine.internal.administering;

import io.delayjob.ActionResult;
import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobLimits;
import io.delayjob.EndedPage;
import io.delayjob.EndedQuery;
import io.delayjob.Explanation;
import io.delayjob.IndexedJobs;
import io.delayjob.IndexedValue;
import io.delayjob.JobPage;
import io.delayjob.JobQuery;
import io.delayjob.JobSnapshot;
import io.delayjob.JobStep;
import io.delayjob.Limits;
import io.delayjob.NodeSnapshot;
import io.delayjob.QueueCounts;
import io.delayjob.engine.internal.calls.Futures;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Waits for what the asynchronous admin answers. */
public final class Admin implements DelayJobAdmin {

    private final AsyncDelayJobAdmin async;

    public Admin(AsyncDelayJobAdmin async) {
        this.async = async;
    }

    @Override
    public Optional<JobSnapshot> find(String queue, String id) {
        return Futures.await(async.find(queue, id));
    }

    @Override
    public JobPage list(JobQuery query) {
        return Futures.await(async.list(query));
    }

    @Override
    public List<String> indexWords(String queue) {
        return async.indexWords(queue);
    }

    @Override
    public IndexedJobs findIndexed(String queue, IndexedValue value) {
        return Futures.await(async.findIndexed(queue, value));
    }

    @Override
    public Explanation explain(String queue, String id) {
        return Futures.await(async.explain(queue, id));
    }

    @Override
    public List<JobStep> history(String queue, String id, int limit) {
        return Futures.await(async.history(queue, id, limit));
    }

    @Override
    public EndedPage ended(EndedQuery query) {
        return Futures.await(async.ended(query));
    }

    @Override
    public List<NodeSnapshot> nodes(String queue) {
        return Futures.await(async.nodes(queue));
    }

    @Override
    public Set<String> queues() {
        return Futures.await(async.queues());
    }

    @Override
    public Map<String, QueueCounts> unconsumedQueues() {
        return Futures.await(async.unconsumedQueues());
    }

    @Override
    public ActionResult cancel(String queue, String id) {
        return Futures.await(async.cancel(queue, id));
    }

    @Override
    public ActionResult reschedule(String queue, String id, Duration delay) {
        return Futures.await(async.reschedule(queue, id, delay));
    }

    @Override
    public ActionResult redrive(String queue, String id) {
        return Futures.await(async.redrive(queue, id));
    }

    @Override
    public ActionResult purge(String queue, String id) {
        return Futures.await(async.purge(queue, id));
    }

    @Override
    public int redriveAll(String queue, int limit) {
        return Futures.await(async.redriveAll(queue, limit));
    }

    @Override
    public int redriveAll(String queue, int limit, int perSecond) {
        return Futures.await(async.redriveAll(queue, limit, perSecond));
    }

    @Override
    public int purgeDead(String queue, Duration olderThan, int limit) {
        return Futures.await(async.purgeDead(queue, olderThan, limit));
    }

    @Override
    public QueueCounts counts(String queue) {
        return Futures.await(async.counts(queue));
    }

    @Override
    public Map<String, QueueCounts> counts(Collection<String> queues) {
        return Futures.await(async.counts(queues));
    }

    @Override
    public void pause(String queue) {
        Futures.await(async.pause(queue));
    }

    @Override
    public void resume(String queue) {
        Futures.await(async.resume(queue));
    }

    @Override
    public DelayJobLimits limits(String queue) {
        return Futures.await(async.limits(queue));
    }

    @Override
    public DelayJobLimits.OfKey limits(String queue, String key) {
        return Futures.await(async.limits(queue, key));
    }

    @Override
    public void setLimits(String queue, Limits limits) {
        Futures.await(async.setLimits(queue, limits));
    }

    @Override
    public void setLimits(String queue, String key, Limits limits) {
        Futures.await(async.setLimits(queue, key, limits));
    }

    @Override
    public void clearLimits(String queue) {
        Futures.await(async.clearLimits(queue));
    }

    @Override
    public void clearLimits(String queue, String key) {
        Futures.await(async.clearLimits(queue, key));
    }

    @Override
    public void pause(String queue, String key) {
        Futures.await(async.pause(queue, key));
    }

    @Override
    public void resume(String queue, String key) {
        Futures.await(async.resume(queue, key));
    }
}

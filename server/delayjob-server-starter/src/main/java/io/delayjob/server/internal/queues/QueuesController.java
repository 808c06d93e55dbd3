package io.delayjob.server.internal.queues;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.QueueCounts;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.limits.Allowances;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.queues.Queues;
import io.delayjob.server.web.Body;
import io.delayjob.server.web.Required;
import io.delayjob.server.web.View;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** Counts the jobs of queues, and acts on whole queues. */
@ApiController
@RequestMapping("/queues")
public final class QueuesController {

    private final AsyncDelayJobAdmin admin;
    private final DelayJobEngine engine;
    private final Queues queues;
    private final Allowances allowances;

    /**
     * Queues that the caller may know of.
     *
     * @param queues the queues
     * @param next the value of {@code after} that gets the next queues; left out if there are none
     */
    public record QueuesView(
            List<QueueView> queues, @Nullable String next) implements View {}

    /**
     * Which dead jobs to redrive.
     *
     * @param limit the most jobs
     * @param perSecond how many become due each second; all at once if left out
     */
    public record RedriveBody(@Required int limit, @Nullable Integer perSecond) implements Body {}

    /** How many were redriven. */
    public record RedrivenView(int redriven) implements View {}

    /**
     * Which dead jobs to delete.
     *
     * @param olderThan only those that have been dead for longer
     * @param limit the most jobs
     */
    public record PurgeBody(
            @Required Duration olderThan, @Required int limit) implements Body {}

    /** How many were deleted. */
    public record PurgedView(int purged) implements View {}

    /** Routes over the queues of an engine. */
    public QueuesController(AsyncDelayJobAdmin admin, DelayJobEngine engine, Queues queues, Allowances allowances) {
        this.admin = admin;
        this.engine = engine;
        this.queues = queues;
        this.allowances = allowances;
    }

    @GetMapping(name = "listQueues")
    public Mono<QueuesView> list(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(required = false) @Nullable String after,
            @RequestParam(defaultValue = QueuePage.MOST) int limit) {
        access.require(Role.READ);
        return QueuePage.of(admin, allowances, access, after, limit)
                .flatMap(page -> Mono.fromFuture(() -> admin.counts(page.queues()))
                        .map(counts -> new QueuesView(views(counts), page.next())));
    }

    @GetMapping(name = "findQueue", path = "/{queue}")
    public Mono<QueueView> find(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue) {
        return queues.counts(access, queue).map(counts -> QueueView.of(queue, counts));
    }

    @GetMapping(name = "findLoad", path = "/{queue}/load")
    public Mono<LoadView> load(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue) {
        access.require(queue, Role.READ);
        return Mono.fromFuture(() -> engine.tally(queue)
                .thenCombine(admin.nodes(queue), (tally, nodes) -> LoadView.of(queue, tally, nodes)));
    }

    private static List<QueueView> views(Map<String, QueueCounts> counts) {
        return counts.entrySet().stream()
                .map(its -> QueueView.of(its.getKey(), its.getValue()))
                .toList();
    }

    @PostMapping(name = "pauseQueue", path = "/{queue}/pause")
    public Mono<QueueView> pause(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue) {
        return queues.pause(access, queue).map(counts -> QueueView.of(queue, counts));
    }

    @PostMapping(name = "resumeQueue", path = "/{queue}/resume")
    public Mono<QueueView> resume(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue) {
        return queues.resume(access, queue).map(counts -> QueueView.of(queue, counts));
    }

    @PostMapping(name = "redriveDeadJobs", path = "/{queue}/redrive")
    public Mono<RedrivenView> redrive(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @RequestBody RedriveBody body) {
        return queues.redriveDead(access, queue, body.limit(), body.perSecond()).map(RedrivenView::new);
    }

    @PostMapping(name = "purgeDeadJobs", path = "/{queue}/purge")
    public Mono<PurgedView> purge(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @RequestBody PurgeBody body) {
        return queues.purgeDead(access, queue, body.olderThan(), body.limit()).map(PurgedView::new);
    }
}

package io.delayjob.server.internal.jobs;

import io.delayjob.IndexedValue;
import io.delayjob.server.Access;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.jobs.Jobs;
import io.delayjob.server.web.View;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** Finds jobs by the index of their queue. */
@ApiController
@RequestMapping("/queues/{queue}/indexed")
public final class IndexController {

    private final Jobs jobs;

    /**
     * Jobs that an index has.
     *
     * @param jobs the jobs, at most 200
     * @param more whether there are others
     */
    public record IndexedView(List<JobView> jobs, boolean more) implements View {}

    /** Routes over the jobs of an engine. */
    public IndexController(Jobs jobs) {
        this.jobs = jobs;
    }

    @GetMapping(name = "findIndexedJobs")
    public Mono<IndexedView> find(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @RequestParam String word,
            @RequestParam String value) {
        return jobs.indexed(access, queue, new IndexedValue(word, value))
                .map(found ->
                        new IndexedView(found.jobs().stream().map(JobView::of).toList(), found.more()));
    }
}

package io.delayjob.server.internal.journal;

import io.delayjob.EndedQuery;
import io.delayjob.IndexedValue;
import io.delayjob.JobState;
import io.delayjob.JournalScope;
import io.delayjob.TimeRange;
import io.delayjob.server.Access;
import io.delayjob.server.internal.journal.JournalBodies.ClearBody;
import io.delayjob.server.internal.journal.JournalBodies.RestoreBody;
import io.delayjob.server.internal.journal.JournalViews.ClearedView;
import io.delayjob.server.internal.journal.JournalViews.DiffView;
import io.delayjob.server.internal.journal.JournalViews.EndedView;
import io.delayjob.server.internal.journal.JournalViews.HistoryView;
import io.delayjob.server.internal.journal.JournalViews.RestoredView;
import io.delayjob.server.internal.journal.JournalViews.StepView;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.journal.Journals;
import io.delayjob.support.Checks;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** Compares the journal with Redis, puts back what Redis has lost, and tells the history of jobs. */
@ApiController
@RequestMapping
public final class JournalController {

    private final Journals journals;

    /** Routes over the journal. */
    public JournalController(Journals journals) {
        this.journals = journals;
    }

    @GetMapping(name = "compareJournal", path = "/journal/diff")
    public Mono<DiffView> diff(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(required = false) @Nullable String queue,
            @RequestParam(required = false) @Nullable String id,
            @RequestParam(required = false) @Nullable Instant dueFrom,
            @RequestParam(required = false) @Nullable Instant dueTo,
            @RequestParam(defaultValue = "true") boolean overdue) {
        return journals.diff(access, new JournalScope(queue, id, dueFrom, dueTo, overdue))
                .map(DiffView::of);
    }

    @PostMapping(name = "restoreJobs", path = "/journal/restore")
    public Mono<RestoredView> restore(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @RequestBody RestoreBody body) {
        return journals.restore(access, body.restore()).map(RestoredView::of);
    }

    @PostMapping(name = "clearQueue", path = "/journal/clear")
    public Mono<ClearedView> clear(@RequestAttribute(Access.ATTRIBUTE) Access access, @RequestBody ClearBody body) {
        return journals.clear(access, body.queue(), body.forGood(), body.bound())
                .map(ClearedView::new);
    }

    @GetMapping(name = "findJobHistory", path = "/queues/{queue}/jobs/{id}/history")
    public Mono<HistoryView> history(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @PathVariable String id,
            @RequestParam(defaultValue = "100") int limit) {
        return journals.history(access, queue, id, limit)
                .map(steps -> new HistoryView(steps.stream().map(StepView::of).toList()));
    }

    @GetMapping(name = "listEndedJobs", path = "/queues/{queue}/ended")
    public Mono<EndedView> ended(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @RequestParam(required = false) @Nullable Set<JobState> state,
            @RequestParam(required = false) @Nullable String topic,
            @RequestParam(required = false) @Nullable String idPrefix,
            @RequestParam(required = false) @Nullable String node,
            @RequestParam(required = false) @Nullable String error,
            @RequestParam(required = false) @Nullable String text,
            @RequestParam(required = false) @Nullable Instant dueFrom,
            @RequestParam(required = false) @Nullable Instant dueTo,
            @RequestParam(required = false) @Nullable Instant endedFrom,
            @RequestParam(required = false) @Nullable Instant endedTo,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(required = false) @Nullable String word,
            @RequestParam(required = false) @Nullable String value) {
        EndedQuery query = new EndedQuery(
                queue,
                state == null ? Set.of() : state,
                topic,
                idPrefix,
                node,
                error,
                text,
                indexed(word, value),
                new TimeRange(dueFrom, dueTo),
                new TimeRange(endedFrom, endedTo),
                cursor);
        return journals.ended(access, query).map(EndedView::of);
    }

    private static @Nullable IndexedValue indexed(@Nullable String word, @Nullable String value) {
        if (word != null && value != null) {
            return new IndexedValue(word, value);
        } else if (word == null && value == null) {
            return null;
        }
        throw new IllegalArgumentException("word and value go together: give both, or neither; "
                + (word == null ? "value is " + Checks.shown(value) : "word is " + Checks.shown(word)));
    }
}

package io.delayjob.server.internal.journal;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobJournal;
import io.delayjob.EndedQuery;
import io.delayjob.JobRestore;
import io.delayjob.JobState;
import io.delayjob.JournalScope;
import io.delayjob.TimeRange;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.journal.JournalBodies.ClearBody;
import io.delayjob.server.internal.journal.JournalBodies.RestoreBody;
import io.delayjob.server.internal.journal.JournalViews.ClearedView;
import io.delayjob.server.internal.journal.JournalViews.DiffView;
import io.delayjob.server.internal.journal.JournalViews.EndedView;
import io.delayjob.server.internal.journal.JournalViews.HistoryView;
import io.delayjob.server.internal.journal.JournalViews.RestoredView;
import io.delayjob.server.internal.journal.JournalViews.StepView;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.web.Problem;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
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
public final class JournalController implements DisposableBean {

    private static final int THREADS = 4;
    private static final int WAITING = 100;

    private final ObjectProvider<DelayJobJournal> journals;
    private final AsyncDelayJobAdmin admin;
    private final ThreadPoolExecutor threads = threads();

    /** Routes over the journal of an application that has one; others answer that there is none. */
    public JournalController(ObjectProvider<DelayJobJournal> journals, AsyncDelayJobAdmin admin) {
        this.journals = journals;
        this.admin = admin;
    }

    @GetMapping(name = "compareJournal", path = "/journal/diff")
    public Mono<DiffView> diff(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(required = false) @Nullable String queue,
            @RequestParam(required = false) @Nullable String id,
            @RequestParam(required = false) @Nullable Instant dueFrom,
            @RequestParam(required = false) @Nullable Instant dueTo,
            @RequestParam(defaultValue = "true") boolean overdue) {
        require(access, queue, Role.READ);
        JournalScope scope = new JournalScope(queue, id, dueFrom, dueTo, overdue);
        return slowly(journal -> DiffView.of(journal.diff(scope)));
    }

    @PostMapping(name = "restoreJobs", path = "/journal/restore")
    public Mono<RestoredView> restore(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @RequestBody RestoreBody body) {
        require(access, body.queue(), Role.OPERATE);
        JobRestore restore = body.restore();
        return slowly(journal -> RestoredView.of(journal.restore(restore)))
                .onErrorMap(
                        IllegalStateException.class,
                        failure -> Problem.RESTORE_UNDER_WAY.with(String.valueOf(failure.getMessage())));
    }

    @PostMapping(name = "clearQueue", path = "/journal/clear")
    public Mono<ClearedView> clear(@RequestAttribute(Access.ATTRIBUTE) Access access, @RequestBody ClearBody body) {
        access.require(body.queue(), Role.OPERATE);
        return slowly(journal -> new ClearedView(journal.clear(body.queue(), body.forGood(), body.bound())));
    }

    @GetMapping(name = "findJobHistory", path = "/queues/{queue}/jobs/{id}/history")
    public Mono<HistoryView> history(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @PathVariable String id,
            @RequestParam(defaultValue = "100") int limit) {
        access.require(queue, Role.READ);
        return unlessAway(Mono.fromFuture(() -> kept(() -> admin.history(queue, id, limit))))
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
            @RequestParam(required = false) @Nullable String cursor) {
        access.require(queue, Role.READ);
        EndedQuery query = new EndedQuery(
                queue,
                state == null ? Set.of() : state,
                topic,
                idPrefix,
                node,
                error,
                text,
                new TimeRange(dueFrom, dueTo),
                new TimeRange(endedFrom, endedTo),
                cursor);
        return unlessAway(Mono.fromFuture(() -> kept(() -> admin.ended(query)))).map(EndedView::of);
    }

    /** Asks a queue's journal; answers {@link Problem#NO_JOURNAL} if the queue has none. */
    private static <T> CompletableFuture<T> kept(Supplier<CompletableFuture<T>> asked) {
        try {
            return asked.get();
        } catch (IllegalStateException e) {
            throw Problem.NO_JOURNAL.with(String.valueOf(e.getMessage()));
        }
    }

    /** A request for all queues is for tokens of all queues. */
    private static void require(Access access, @Nullable String queue, Role role) {
        if (queue != null) {
            access.require(queue, role);
            return;
        }
        access.require(role);
        if (!access.isForAll()) {
            throw Problem.FORBIDDEN.with(access.shown() + " is for some queues only; state one as queue");
        }
    }

    /**
     * The database and Redis are waited for, so this is not a thread of the server; and what was begun goes on if its caller hangs up, because
     * half a restore helps nobody.
     */
    private <T> Mono<T> slowly(Function<DelayJobJournal, T> work) {
        DelayJobJournal journal = journals.getIfAvailable();
        if (journal == null) {
            throw Problem.NO_JOURNAL.with(
                    "this server keeps no journal: it needs a database, which spring.datasource.url names, and a"
                            + " delayjob.journal.mode that is not off");
        }
        return unlessAway(
                        Mono.fromFuture(() -> CompletableFuture.supplyAsync(() -> work.apply(journal), threads), true))
                .onErrorMap(
                        RejectedExecutionException.class,
                        busy -> Problem.JOURNAL_UNAVAILABLE.with("too many requests of the journal wait already"));
    }

    private static <T> Mono<T> unlessAway(Mono<T> answer) {
        return answer.onErrorMap(
                DelayJobException.class,
                failure -> Problem.JOURNAL_UNAVAILABLE.with(String.valueOf(failure.getMessage())));
    }

    private static ThreadPoolExecutor threads() {
        CustomizableThreadFactory names = new CustomizableThreadFactory("delayjob-server-journal-");
        names.setDaemon(true);
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(WAITING), names);
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    @Override
    public void destroy() {
        threads.shutdown();
    }
}

package io.delayjob.server.journal;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobJournal;
import io.delayjob.EndedPage;
import io.delayjob.EndedQuery;
import io.delayjob.JobRestore;
import io.delayjob.JobStep;
import io.delayjob.JournalDiff;
import io.delayjob.JournalScope;
import io.delayjob.RestoreReport;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.web.Problem;
import java.util.List;
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
import reactor.core.publisher.Mono;

/**
 * Compares the journal with Redis, puts back what Redis has lost, and tells the history of jobs. Each method throws what the caller may not do: 404 if the
 * queue is not the caller's, 403 if it has none of the roles or asks about all queues without having them all, as an {@link
 * org.springframework.web.ErrorResponseException}. In an application without a journal, all answer {@link Problem#NO_JOURNAL}.
 */
public final class Journals implements DisposableBean {

    private static final int THREADS = 4;
    private static final int WAITING = 100;

    private final ObjectProvider<DelayJobJournal> journals;
    private final AsyncDelayJobAdmin admin;
    private final ThreadPoolExecutor threads = threads();

    Journals(ObjectProvider<DelayJobJournal> journals, AsyncDelayJobAdmin admin) {
        this.journals = journals;
        this.admin = admin;
    }

    /**
     * Compares the journal with Redis.
     *
     * @param access the rights of the caller
     * @param scope which jobs
     * @return how they differ
     */
    public Mono<JournalDiff> diff(Access access, JournalScope scope) {
        require(access, scope.queue(), Role.READ);
        return slowly(journal -> journal.diff(scope));
    }

    /**
     * Puts jobs back that Redis has lost.
     *
     * @param access the rights of the caller
     * @param restore which jobs, and how
     * @return how many were put back; fails with {@link Problem#RESTORE_UNDER_WAY} while another restore goes on
     */
    public Mono<RestoreReport> restore(Access access, JobRestore restore) {
        require(access, restore.scope().queue(), Role.OPERATE);
        return alone(journal -> journal.restore(restore));
    }

    /**
     * Removes the unfinished jobs of a queue from Redis.
     *
     * @param access the rights of the caller
     * @param queue the queue
     * @param forGood true to cancel them; false to only remove them from Redis, so that they can be restored
     * @param most how many it may remove at most; if there are more, nothing is changed
     * @return how many were removed; fails with {@link Problem#RESTORE_UNDER_WAY} if they are to be cancelled while a restore goes on
     */
    public Mono<Long> clear(Access access, String queue, boolean forGood, long most) {
        access.require(queue, Role.OPERATE);
        return alone(journal -> journal.clear(queue, forGood, most));
    }

    /**
     * Tells the history of a job.
     *
     * @param access the rights of the caller
     * @param queue the job's queue
     * @param id the job's id
     * @param limit the most steps
     * @return its last steps, in order
     */
    public Mono<List<JobStep>> history(Access access, String queue, String id, int limit) {
        access.require(queue, Role.READ);
        return unlessAway(Mono.fromFuture(() -> kept(() -> admin.history(queue, id, limit))));
    }

    /**
     * Lists jobs that have ended.
     *
     * @param access the rights of the caller
     * @param query the queue, and which of its jobs
     * @return a page of them
     */
    public Mono<EndedPage> ended(Access access, EndedQuery query) {
        access.require(query.queue(), Role.READ);
        return unlessAway(Mono.fromFuture(() -> kept(() -> admin.ended(query))));
    }

    /** Asks a queue's journal; answers {@link Problem#NO_JOURNAL} if the queue has none. */
    private static <T> CompletableFuture<T> kept(Supplier<CompletableFuture<T>> asked) {
        try {
            return asked.get();
        } catch (IllegalStateException e) {
            throw Problem.NO_JOURNAL.with(String.valueOf(e.getMessage()));
        }
    }

    /** All queues are for callers of all queues. */
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

    /** Work that fails while a restore goes on. */
    private <T> Mono<T> alone(Function<DelayJobJournal, T> work) {
        return slowly(work)
                .onErrorMap(
                        IllegalStateException.class,
                        failure -> Problem.RESTORE_UNDER_WAY.with(String.valueOf(failure.getMessage())));
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

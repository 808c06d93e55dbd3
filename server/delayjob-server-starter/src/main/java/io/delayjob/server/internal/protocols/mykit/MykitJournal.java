package io.delayjob.server.internal.protocols.mykit;

import io.delayjob.DelayJobException;
import io.delayjob.DelayJobJournal;
import io.delayjob.JobRestore;
import io.delayjob.JournalScope;
import io.delayjob.RestoreReport;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.protocols.TopicQueues;
import io.delayjob.server.web.Problem;
import io.delayjob.support.Checks;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The log of mykit-delay is the journal: messages are restored from it, and cleared with it, in all queues of the caller. */
public final class MykitJournal implements DisposableBean {

    private static final int THREADS = 2;
    private static final int WAITING = 20;

    private final @Nullable DelayJobJournal journal;
    private final TopicQueues queues;
    private final Scheduler threads = Schedulers.newBoundedElastic(THREADS, WAITING, "delayjob-server-mykit", 10, true);

    /**
     * Calls of a journal.
     *
     * @param journal null if there is none
     */
    public MykitJournal(@Nullable DelayJobJournal journal, TopicQueues queues) {
        this.journal = journal;
        this.queues = queues;
    }

    /** Restores all unfinished messages, or those whose time has not come; clears nothing first. */
    Mono<String> restoreAll(Access access, boolean withOverdue) {
        return slowly(access, (log, of) -> {
            long begun = System.nanoTime();
            List<RestoreReport> reports = of.stream()
                    .map(JournalScope::of)
                    .map(scope -> withOverdue ? scope : scope.withoutOverdue())
                    .map(scope -> log.restore(JobRestore.of(scope)))
                    .toList();
            return "%d restored, %d were there, %d skipped because their time has passed, in %d ms"
                    .formatted(
                            reports.stream().mapToLong(RestoreReport::restored).sum(),
                            reports.stream()
                                    .mapToLong(report -> report.present() + report.journaled())
                                    .sum(),
                            reports.stream().mapToLong(RestoreReport::skipped).sum(),
                            millisSince(begun));
        });
    }

    /**
     * Restores one message.
     *
     * @param finished whether also one that was consumed or deleted
     */
    Mono<String> restore(Access access, String id, boolean finished) {
        Checks.id(id);
        return slowly(
                        access,
                        (log, of) -> log.queuesOf(id).stream()
                                .filter(of::contains)
                                .findFirst()
                                .map(queue ->
                                        log.restore(new JobRestore(JournalScope.of(queue, id), false, null, finished)))
                                .map(report -> report.restored() + " restored, "
                                        + (report.present() + report.journaled()) + " were there")
                                .orElseThrow(() ->
                                        new IllegalArgumentException("the journal knows no job " + Checks.shown(id))))
                .onErrorMap(IllegalArgumentException.class, MykitJournal::withOwnRemedy);
    }

    /** The journal names the ways in which others ask for a finished job. */
    private static IllegalArgumentException withOwnRemedy(IllegalArgumentException refused) {
        return new IllegalArgumentException(
                String.valueOf(refused.getMessage()).replaceFirst("ask for it: .*", "ask for it: finished=true"),
                refused);
    }

    /**
     * Clears all messages.
     *
     * @param forGood whether they are deleted; if not, they can be restored
     */
    Mono<String> clear(Access access, boolean forGood) {
        return slowly(access, (log, of) -> {
            long begun = System.nanoTime();
            long cleared =
                    of.stream().mapToLong(queue -> log.clear(queue, forGood)).sum();
            return cleared + " cleared in " + millisSince(begun) + " ms";
        });
    }

    private static long millisSince(long begun) {
        return (System.nanoTime() - begun) / 1_000_000;
    }

    /** Runs journal work to its end even if the caller hangs up, because half a restore helps nobody. */
    private Mono<String> slowly(Access access, BiFunction<DelayJobJournal, List<String>, String> work) {
        access.require(Role.OPERATE);
        DelayJobJournal log = journal;
        if (log == null) {
            return Mono.error(
                    Problem.WRONG_STATE.with("this server has no journal to restore from or to clear by; start it with"
                            + " delayjob.journal.mode=transactional (in an application of yours, add"
                            + " delayjob-journal and a DataSource), see docs/journal.md"));
        }
        return Mono.fromFuture(
                        () -> CompletableFuture.supplyAsync(
                                () -> work.apply(log, queues(access, log)), threads::schedule),
                        true)
                .onErrorMap(
                        RejectedExecutionException.class,
                        busy -> Problem.JOURNAL_UNAVAILABLE.with("too many requests of the journal wait already"))
                .onErrorMap(
                        IllegalStateException.class,
                        failure -> Problem.RESTORE_UNDER_WAY.with(String.valueOf(failure.getMessage())))
                .onErrorMap(
                        DelayJobException.class,
                        failure -> Problem.JOURNAL_UNAVAILABLE.with(String.valueOf(failure.getMessage())));
    }

    private List<String> queues(Access access, DelayJobJournal log) {
        return log.queues().stream()
                .filter(queue -> queues.has(queue) && access.isFor(queue))
                .toList();
    }

    @Override
    public void destroy() {
        threads.dispose();
    }
}

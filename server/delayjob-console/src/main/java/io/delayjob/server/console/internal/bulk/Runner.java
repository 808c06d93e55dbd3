package io.delayjob.server.console.internal.bulk;

import io.delayjob.ActionResult;
import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobException;
import io.delayjob.JobSnapshot;
import io.delayjob.server.Access;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.audit.Change;
import io.delayjob.server.console.internal.bulk.Run.State;
import io.delayjob.server.console.internal.bulk.RunStore.Wish;
import io.delayjob.server.console.internal.bulk.UndoStore.Due;
import io.delayjob.server.console.internal.jobs.Scan;
import io.delayjob.server.console.internal.jobs.Scan.Found;
import io.delayjob.server.console.internal.jobs.Scan.Place;
import io.delayjob.server.jobs.JobAction;
import io.delayjob.server.jobs.JobActions;
import io.delayjob.server.limits.Places;
import io.delayjob.server.web.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.web.ErrorResponseException;
import reactor.core.publisher.Flux;

/** Acts on many jobs at a rate, each run on a thread of its own. */
public final class Runner implements DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(Runner.class);
    private static final Scan.Bound CHUNK = new Scan.Bound(1000, 20_000, Duration.ofSeconds(5));
    private static final int AT_ONCE = 8;
    private static final int AT_ONCE_OF_CALLER = 4;
    private static final long AGAIN_SECONDS = 30;
    private static final int STEPS_A_SECOND = 10;
    private static final int MOST_IN_A_STEP = 500;
    private static final Duration TO_ANSWER = Duration.ofSeconds(30);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AsyncDelayJobAdmin admin;
    private final JobActions actions;
    private final RunStore store;
    private final Audit audit;
    private final UndoStore undo;
    private final ThreadPoolExecutor threads = threads();
    private final Places places = new Places(AT_ONCE, AT_ONCE_OF_CALLER);

    /** Acts on the jobs of an engine. */
    public Runner(AsyncDelayJobAdmin admin, JobActions actions, RunStore store, UndoStore undo, Audit audit) {
        this.admin = admin;
        this.actions = actions;
        this.store = store;
        this.undo = undo;
        this.audit = audit;
    }

    private static ThreadPoolExecutor threads() {
        CustomizableThreadFactory names = new CustomizableThreadFactory("delayjob-console-run-");
        names.setDaemon(true);
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), names);
    }

    /**
     * Begins a run.
     *
     * @throws org.springframework.web.ErrorResponseException 429 if as many go on already as may
     */
    void begin(Run run, Selection selection, JobAction action, Access access) {
        execute(new Acting(run, selection, action, access));
    }

    /**
     * Begins to undo a run.
     *
     * @throws org.springframework.web.ErrorResponseException 429 if as many go on already as may
     */
    void undo(Run run, Access access) {
        execute(new Undoing(run, access));
    }

    private void execute(Going going) {
        String caller = going.access.caller();
        switch (places.take(caller)) {
            case ALL_TAKEN -> throw tooMany("this server has " + AT_ONCE);
            case CALLER_HAS_ALL -> throw tooMany(going.access.shown() + " has " + AT_ONCE_OF_CALLER);
            case TAKEN ->
                threads.execute(() -> {
                    try {
                        going.run();
                    } finally {
                        places.leave(caller);
                    }
                });
        }
    }

    private static RuntimeException tooMany(String who) {
        return Problem.thrown(
                Problem.tooMany(who + " runs already on this server; wait for one, or abort one", AGAIN_SECONDS));
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }

    /** Ends a run early. */
    private static final class Ended extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final State state;

        Ended(State state, @Nullable String why) {
            super(why);
            this.state = state;
        }
    }

    /** Acts on the jobs that a filter lets pass. */
    private final class Acting extends Going {

        private final Selection selection;
        private final JobAction action;
        /** A job that is rescheduled stands further behind in the list that is read, and is met again there. */
        private final Set<String> rescheduled = new HashSet<>();

        Acting(Run run, Selection selection, JobAction action, Access access) {
            super(run, access);
            this.selection = selection;
            this.action = action;
        }

        @Override
        void all() throws InterruptedException {
            for (String queue : selection.queues()) {
                Place place = Place.BEGIN;
                while (place != null) {
                    Place from = place;
                    Found found = answer(() -> Scan.of(
                            admin,
                            List.of(queue),
                            selection.touched(action),
                            selection.filter().id(),
                            this::isMeant,
                            CHUNK,
                            from));
                    examined += found.examined();
                    inSteps(bounded(found.jobs()), jobs -> step(queue, jobs));
                    tell();
                    place = left() == 0 ? null : found.next();
                }
            }
        }

        /** How many more jobs may be acted on: nobody confirmed those that were not counted. */
        private long left() {
            return run.most() == null ? Long.MAX_VALUE : Math.max(0, run.most() - done - skipped);
        }

        private List<JobSnapshot> bounded(List<JobSnapshot> jobs) {
            return jobs.subList(0, (int) Math.min(jobs.size(), left()));
        }

        /** Skips jobs that died since the run began, which it would otherwise run again for ever, and jobs it has rescheduled. */
        private boolean isMeant(JobSnapshot job) {
            return selection.matches(job)
                    && (job.diedAt() == null || !job.diedAt().isAfter(run.begunAt()))
                    && !rescheduled.contains(job.id());
        }

        private void step(String queue, List<JobSnapshot> jobs) throws InterruptedException {
            if (Selection.isUndoable(action)) {
                remember(queue, jobs);
            }
            Duration delay = run.delayMillis() == null ? null : Duration.ofMillis(run.delayMillis());
            List<String> ids = jobs.stream().map(JobSnapshot::id).toList();
            if (delay != null) {
                rescheduled.addAll(ids);
            }
            List<ActionResult> results = answer(
                    () -> actions.actOnAll(access, queue, ids, action, delay).toFuture());
            count(results.stream().filter(ActionResult::done).count(), results.size());
        }

        /** Before the jobs are acted on, so that whatever is done can be undone. */
        private void remember(String queue, List<JobSnapshot> jobs) throws InterruptedException {
            if (done + skipped + jobs.size() > UndoStore.MOST) {
                throw new Ended(
                        State.FAILED,
                        "a run that can be undone acts on " + UndoStore.MOST + " jobs at most; begin another one");
            }
            List<Due> times = jobs.stream()
                    .filter(job -> job.dueAt() != null)
                    .map(job -> new Due(
                            queue, job.id(), Objects.requireNonNull(job.dueAt()).toEpochMilli()))
                    .toList();
            answer(() -> undo.add(run.id(), times));
        }

        @Override
        String name() {
            return "run-" + action.label();
        }
    }

    /** Gives jobs back the due times that they had before a run. */
    private final class Undoing extends Going {

        Undoing(Run run, Access access) {
            super(run, access);
        }

        @Override
        void all() throws InterruptedException {
            String undone = Objects.requireNonNull(run.undoes());
            for (int from = 0; from < UndoStore.MOST; from += MOST_IN_A_STEP) {
                int begin = from;
                List<Due> jobs = answer(() -> undo.read(undone, begin, MOST_IN_A_STEP));
                if (jobs.isEmpty()) {
                    return;
                }
                examined += jobs.size();
                inSteps(jobs, this::step);
                tell();
            }
        }

        private void step(List<Due> jobs) throws InterruptedException {
            long now = Instant.now().toEpochMilli();
            List<Boolean> given = answer(() -> Flux.fromIterable(jobs)
                    .flatMap(job -> actions.act(
                                    access,
                                    job.queue(),
                                    job.id(),
                                    JobAction.RESCHEDULE,
                                    Duration.ofMillis(Math.max(0, job.dueMillis() - now)))
                            .map(ActionResult::done)
                            // It has begun, or ended, meanwhile.
                            .onErrorReturn(ErrorResponseException.class, false))
                    .collectList()
                    .toFuture());
            count(given.stream().filter(done -> done).count(), given.size());
        }

        @Override
        String name() {
            return "run-" + Run.UNDO;
        }
    }

    /** Acts on a batch of jobs. */
    private interface Step<T> {

        void of(List<T> jobs) throws InterruptedException;
    }

    private abstract class Going implements Runnable {

        final Access access;
        Run run;
        long examined;
        long done;
        long skipped;
        private long told = System.nanoTime();

        Going(Run run, Access access) {
            this.run = run;
            this.access = access;
        }

        /** Acts on all that is to be acted on. */
        abstract void all() throws InterruptedException;

        /** The name of the action in the audit entry for the end of the run. */
        abstract String name();

        void count(long acted, int of) {
            done += acted;
            skipped += of - acted;
        }

        @Override
        public void run() {
            try {
                all();
                end(State.DONE, null);
            } catch (Ended e) {
                end(e.state, e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                end(State.FAILED, "its server was stopped");
            } catch (RuntimeException e) {
                log.warn("run {} ended early", run.id(), e);
                end(State.FAILED, String.valueOf(e.getMessage()));
            }
        }

        <T> void inSteps(List<T> jobs, Step<T> step) throws InterruptedException {
            int size = Math.max(1, Math.min(MOST_IN_A_STEP, run.perSecond() / STEPS_A_SECOND));
            for (int from = 0; from < jobs.size(); from += size) {
                long begun = System.nanoTime();
                step.of(jobs.subList(from, Math.min(jobs.size(), from + size)));
                tell();
                long rest = SECOND * size / run.perSecond() - (System.nanoTime() - begun);
                if (rest > 0) {
                    TimeUnit.NANOSECONDS.sleep(rest);
                }
            }
        }

        /** Says how far it is, once a second, and asks whether it is to go on. */
        void tell() throws InterruptedException {
            if (System.nanoTime() - told < SECOND) {
                return;
            }
            say(State.RUNNING, null);
            while (wish() == Wish.PAUSE) {
                say(State.PAUSED, null);
                TimeUnit.SECONDS.sleep(1);
            }
        }

        private Wish wish() throws InterruptedException {
            if (!answer(access.stillValid())) {
                throw new Ended(State.FAILED, "the sign-in of who began it has ended");
            }
            Wish wish = answer(() -> store.wish(run.id()));
            if (wish == Wish.ABORT) {
                throw new Ended(State.ABORTED, null);
            }
            return wish;
        }

        private void say(State state, @Nullable String why) throws InterruptedException {
            told = System.nanoTime();
            run = run.at(state, examined, done, skipped, why);
            answer(() -> store.write(run).thenApply(written -> true));
        }

        private void end(State state, @Nullable String why) {
            run = run.at(state, examined, done, skipped, why);
            store.write(run).thenCompose(written -> store.tidy()).whenComplete((tidied, failure) -> {
                if (failure != null) {
                    log.warn("the end of run {} is not written down: {}", run.id(), failure.getMessage());
                }
            });
            audit.write(
                            access,
                            "console",
                            name(),
                            run.queue(),
                            run.jobs(),
                            state == State.DONE ? "done" : state + (why == null ? "" : ": " + why),
                            Change.saying("done: " + done + ", skipped: " + skipped
                                    + (run.gone() == 0 ? "" : ", gone before: " + run.gone())))
                    .subscribe();
        }

        /** Waits for an answer, and asks again while Redis is away: what was done already is skipped then. */
        <T> T answer(Supplier<CompletableFuture<T>> call) throws InterruptedException {
            while (true) {
                try {
                    return Objects.requireNonNull(call.get().get(TO_ANSWER.toMillis(), TimeUnit.MILLISECONDS));
                } catch (ExecutionException | CompletionException | TimeoutException e) {
                    Throwable cause = e.getCause() == null ? e : e.getCause();
                    if (!(cause instanceof DelayJobException) && !(e instanceof TimeoutException)) {
                        throw new Ended(State.FAILED, String.valueOf(cause.getMessage()));
                    }
                    log.warn("run {} waits for Redis: {}", run.id(), cause.getMessage());
                    TimeUnit.SECONDS.sleep(1);
                }
            }
        }
    }
}

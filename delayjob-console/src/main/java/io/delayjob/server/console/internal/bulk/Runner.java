package io.delayjob.server.console.internal.bulk;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobException;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.bulk.Run.State;
import io.delayjob.server.console.internal.bulk.RunStore.Wish;
import io.delayjob.server.console.internal.jobs.Scan;
import io.delayjob.server.console.internal.jobs.Scan.Found;
import io.delayjob.server.console.internal.jobs.Scan.Place;
import io.delayjob.server.internal.access.Access;
import io.delayjob.server.internal.jobs.ActionsController;
import io.delayjob.server.internal.jobs.ActionsController.Action;
import io.delayjob.server.internal.jobs.ActionsController.ActionView;
import io.delayjob.server.internal.jobs.ActionsController.ActionsBody;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
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

/** Acts on many jobs at a rate, each run on a thread of its own, by the route of the API that acts on several. */
public final class Runner implements DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(Runner.class);
    private static final Scan.Bound CHUNK = new Scan.Bound(1, 20_000, Duration.ofSeconds(5));
    private static final int AT_ONCE = 4;
    private static final int STEPS_A_SECOND = 10;
    private static final int MOST_IN_A_STEP = 500;
    private static final Duration TO_ANSWER = Duration.ofSeconds(30);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AsyncDelayJobAdmin admin;
    private final ActionsController actions;
    private final RunStore store;
    private final Audit audit;
    private final ThreadPoolExecutor threads = threads();

    /** Acts on the jobs of an engine. */
    public Runner(AsyncDelayJobAdmin admin, ActionsController actions, RunStore store, Audit audit) {
        this.admin = admin;
        this.actions = actions;
        this.store = store;
        this.audit = audit;
    }

    private static ThreadPoolExecutor threads() {
        CustomizableThreadFactory names = new CustomizableThreadFactory("delayjob-console-run-");
        names.setDaemon(true);
        return new ThreadPoolExecutor(0, AT_ONCE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), names);
    }

    /**
     * Begins a run.
     *
     * @throws IllegalArgumentException if as many go on already as may
     */
    void begin(Run run, Selection selection, Action action, Access access) {
        try {
            threads.execute(new Going(run, selection, action, access));
        } catch (RejectedExecutionException e) {
            throw new IllegalArgumentException(
                    "this server has " + AT_ONCE + " runs already; wait for one, or abort one", e);
        }
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

    private final class Going implements Runnable {

        private final Selection selection;
        private final Action action;
        private final Access access;
        private Run run;
        private long examined;
        private long done;
        private long skipped;
        private long told = System.nanoTime();

        Going(Run run, Selection selection, Action action, Access access) {
            this.run = run;
            this.selection = selection;
            this.action = action;
            this.access = access;
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

        private void all() throws InterruptedException {
            Place place = Place.BEGIN;
            while (place != null) {
                Place from = place;
                Found found = answer(() -> Scan.of(
                        admin,
                        List.of(selection.queue()),
                        List.of(selection.state()),
                        selection.filter().id(),
                        selection::matches,
                        CHUNK,
                        from));
                examined += found.examined();
                act(found.jobs().stream().map(job -> job.id()).toList());
                tell();
                place = found.next();
            }
        }

        private void act(List<String> ids) throws InterruptedException {
            int size = Math.max(1, Math.min(MOST_IN_A_STEP, run.perSecond() / STEPS_A_SECOND));
            for (int from = 0; from < ids.size(); from += size) {
                long begun = System.nanoTime();
                step(ids.subList(from, Math.min(ids.size(), from + size)));
                tell();
                long rest = SECOND * size / run.perSecond() - (System.nanoTime() - begun);
                if (rest > 0) {
                    TimeUnit.NANOSECONDS.sleep(rest);
                }
            }
        }

        private void step(List<String> ids) throws InterruptedException {
            List<ActionView> results = answer(
                            () -> actions.several(access, selection.queue(), new ActionsBody(action, ids, null))
                                    .toFuture())
                    .results();
            long acted = results.stream().filter(ActionView::done).count();
            done += acted;
            skipped += results.size() - acted;
        }

        /** Says how far it is, once a second, and asks whether it is to go on. */
        private void tell() throws InterruptedException {
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
                            "run-" + Selection.label(action),
                            selection.queue(),
                            run.filter(),
                            state == State.DONE ? "done" : state + (why == null ? "" : ": " + why),
                            "done: " + done + ", skipped: " + skipped)
                    .subscribe();
        }

        /** Waits for an answer, and asks again while Redis is away: what was done already is skipped then. */
        private <T> T answer(Supplier<CompletableFuture<T>> call) throws InterruptedException {
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

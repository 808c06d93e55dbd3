package io.delayjob.server.schedules;

import io.delayjob.DelayJobSchedules;
import io.delayjob.Schedule;
import io.delayjob.ScheduleBackfill;
import io.delayjob.ScheduleExplanation;
import io.delayjob.ScheduleInstant;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.SubmitResult;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.limits.BoundedQueues;
import io.delayjob.server.web.Blocking;
import io.delayjob.server.web.Problem;
import io.delayjob.support.Checks;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.springframework.web.ErrorResponseException;
import reactor.core.publisher.Mono;

/**
 * Stores schedules and acts on them. A caller sees and changes those of its own queues alone; each method throws a 403 if it has none of the roles,
 * as an {@link ErrorResponseException}, and fails with a 404 if there is no such schedule in its queues. A schedule that this node cannot read, because a
 * newer release has stored it, can be put, paused, resumed, explained and removed; what else needs its definition fails with {@link
 * Problem#UNREADABLE_SCHEDULE}.
 */
public final class Schedules {

    /** The most schedules that callers can make; applications can declare more. */
    public static final int MOST = 10_000;

    private static final long LATER = 60;

    private final DelayJobSchedules schedules;
    private final BoundedQueues bounded;

    Schedules(DelayJobSchedules schedules, BoundedQueues bounded) {
        this.schedules = schedules;
        this.bounded = bounded;
    }

    /**
     * Lists the schedules, by name.
     *
     * @param access the rights of the caller
     * @return the schedules of the caller's queues
     */
    public Mono<List<ScheduleView>> list(Access access) {
        access.require(Role.READ);
        return Blocking.call(() -> schedules.list().stream()
                .filter(one -> isFor(access, one))
                .map(ScheduleView::of)
                .toList());
    }

    /**
     * Finds a schedule.
     *
     * @param access the rights of the caller
     * @param name its name
     * @return the schedule
     */
    public Mono<ScheduleView> find(Access access, String name) {
        access.require(Role.READ);
        return shown(access, name);
    }

    private Mono<ScheduleView> shown(Access access, String name) {
        return Blocking.call(() -> ScheduleView.of(found(access, name)));
    }

    /**
     * Stores a schedule, or changes it, for operators who may submit its jobs.
     *
     * @param access the rights of the caller
     * @param name its name
     * @param body the schedule
     * @return the schedule as it is stored
     */
    public Mono<ScheduleView> put(Access access, String name, ScheduleBody body) {
        access.require(body.queue(), Role.OPERATE);
        access.requireSubmit(body.queue(), body.topic());
        Schedule schedule = body.schedule(name);
        bounded.name(access, body.queue());
        return Blocking.call(() -> {
            Optional<String> known = schedules.queueOf(name);
            if (known.isEmpty()) {
                refuseTooMany();
            } else if (!access.isFor(known.get())) {
                throw Problem.FORBIDDEN.with(
                        "%s may not change schedule %s, which belongs to another queue: choose another name"
                                .formatted(access.shown(), Checks.shown(name)));
            }
            return ScheduleView.of(schedules.put(schedule));
        });
    }

    private void refuseTooMany() {
        if (schedules.count() >= MOST) {
            throw Problem.thrown(Problem.tooMany(
                    "there are %d schedules, as many as there may be; wait %d s, or remove one that is not needed"
                            .formatted(MOST, LATER),
                    LATER));
        }
    }

    /**
     * Removes a schedule.
     *
     * @param access the rights of the caller
     * @param name its name
     * @return completes when it is removed
     */
    public Mono<Void> remove(Access access, String name) {
        return acted(access, name, () -> schedules.remove(name)).then();
    }

    /**
     * Pauses a schedule.
     *
     * @param access the rights of the caller
     * @param name its name
     * @return the paused schedule; nothing if this node cannot read it, because a newer release has stored it
     */
    public Mono<ScheduleView> pause(Access access, String name) {
        return acted(access, name, () -> schedules.pause(name)).then(shownIfReadable(access, name));
    }

    /**
     * Resumes a schedule.
     *
     * @param access the rights of the caller
     * @param name its name
     * @return the resumed schedule; nothing if this node cannot read it, because a newer release has stored it
     */
    public Mono<ScheduleView> resume(Access access, String name) {
        return acted(access, name, () -> schedules.resume(name)).then(shownIfReadable(access, name));
    }

    private Mono<ScheduleView> shownIfReadable(Access access, String name) {
        return shown(access, name)
                .onErrorComplete(failure -> failure instanceof ErrorResponseException refused
                        && Problem.UNREADABLE_SCHEDULE.is(refused.getBody()));
    }

    /**
     * Submits an extra occurrence, due now.
     *
     * @param access the rights of the caller
     * @param name the schedule
     * @return the submit of its job
     */
    public Mono<SubmitResult> trigger(Access access, String name) {
        return acted(access, name, () -> {
            found(access, name);
            return schedules.trigger(name).orElseThrow(() -> missing(name));
        });
    }

    /**
     * Makes up for instants that have passed: submits an occurrence for each.
     *
     * @param access the rights of the caller
     * @param name the schedule
     * @param body the time
     * @return the instants
     */
    public Mono<ScheduleBackfill> backfill(Access access, String name, BackfillBody body) {
        return acted(access, name, () -> {
            found(access, name);
            return schedules
                    .backfill(name, body.from(), body.to(), body.pace(), body.counts())
                    .orElseThrow(() -> missing(name));
        });
    }

    /**
     * Explains why a schedule fires or does not.
     *
     * @param access the rights of the caller
     * @param name its name
     * @return the explanation
     */
    public Mono<ScheduleExplanation> explain(Access access, String name) {
        access.require(Role.READ);
        return Blocking.call(() -> {
            known(access, name);
            return schedules.explain(name);
        });
    }

    private <T> Mono<T> acted(Access access, String name, Callable<T> action) {
        access.require(Role.OPERATE);
        return Blocking.call(() -> {
            known(access, name);
            return action.call();
        });
    }

    /**
     * Computes the next instants of a schedule.
     *
     * @param access the rights of the caller
     * @param name its name
     * @param count how many, 1 to 1000
     * @return the instants, with those at which daylight saving lets nothing run
     */
    public Mono<List<ScheduleInstant>> preview(Access access, String name, int count) {
        access.require(Role.READ);
        return Blocking.call(() -> schedules.preview(found(access, name).schedule(), count));
    }

    private ScheduleSnapshot found(Access access, String name) {
        Checks.scheduleName(name);
        try {
            return schedules.find(name).filter(one -> isFor(access, one)).orElseThrow(() -> missing(name));
        } catch (IllegalArgumentException e) {
            known(access, name);
            throw Problem.UNREADABLE_SCHEDULE.with(String.valueOf(e.getMessage()));
        }
    }

    /** Refuses a schedule that is not in the caller's queues. */
    private void known(Access access, String name) {
        if (schedules.queueOf(Checks.scheduleName(name)).filter(access::isFor).isEmpty()) {
            throw missing(name);
        }
    }

    private static boolean isFor(Access access, ScheduleSnapshot one) {
        return access.isFor(String.valueOf(one.schedule().queue()));
    }

    private static ErrorResponseException missing(String name) {
        return Problem.NO_SUCH_SCHEDULE.with("there is no schedule %s".formatted(Checks.shown(name)));
    }
}

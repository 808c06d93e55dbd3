package io.delayjob.server.console.internal.recurring;

import io.delayjob.server.Access;
import io.delayjob.server.console.internal.audit.PathState;
import io.delayjob.server.schedules.ScheduleView;
import io.delayjob.server.schedules.Schedules;
import io.delayjob.server.web.Problem;
import java.util.Map;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;
import reactor.core.publisher.Mono;

/** When a schedule fires; a caller that may change it and not look at it is not told. */
public final class SchedulePathState implements PathState {

    private final Schedules schedules;

    /** Asks for the schedules as the caller. */
    public SchedulePathState(Schedules schedules) {
        this.schedules = schedules;
    }

    @Override
    public String pattern() {
        return "/schedules/**";
    }

    @Override
    public Mono<String> of(Map<String, String> variables, Access access) {
        return Mono.justOrEmpty(variables.get("name")).flatMap(name -> state(schedules, access, name));
    }

    static Mono<String> state(Schedules schedules, Access access, String name) {
        return Mono.defer(() -> schedules.find(access, name))
                .map(SchedulePathState::shown)
                .onErrorResume(ErrorResponseException.class, refused -> Mono.just(unshown(refused.getBody())))
                .onErrorReturn(IllegalArgumentException.class, "no such schedule");
    }

    private static String unshown(ProblemDetail problem) {
        if (Problem.UNREADABLE_SCHEDULE.is(problem)) {
            return "not readable";
        }
        return Problem.NO_SUCH_SCHEDULE.is(problem) ? "no such schedule" : "not shown";
    }

    private static String shown(ScheduleView schedule) {
        return "%s%s %s, %s%s"
                .formatted(
                        schedule.paused() ? "paused, " : "",
                        schedule.cron() == null ? "every " + schedule.every() : schedule.cron(),
                        schedule.zone(),
                        schedule.queue(),
                        schedule.nextAt() == null ? "" : ", next " + schedule.nextAt());
    }
}

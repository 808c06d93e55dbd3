package io.delayjob.server.internal.schedules;

import io.delayjob.ScheduleExplanation;
import io.delayjob.ScheduleInstant;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.server.Access;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.internal.web.ResultView;
import io.delayjob.server.schedules.BackfillBody;
import io.delayjob.server.schedules.ScheduleBody;
import io.delayjob.server.schedules.ScheduleView;
import io.delayjob.server.schedules.Schedules;
import io.delayjob.server.web.View;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import reactor.core.publisher.Mono;

/** Stores schedules of recurring jobs, shows them and acts on them. */
@ApiController
@RequestMapping("/schedules")
public final class SchedulesController {

    private final Schedules schedules;

    /** The schedules of the queues that the caller may know of. */
    public record SchedulesView(List<ScheduleView> schedules) implements View {}

    /** The next instants of a schedule. */
    public record PreviewView(List<InstantView> instants) implements View {}

    /** The submit of an extra occurrence. */
    public record TriggeredView(ResultView job) implements View {}

    /** The last 50 decisions about instants of a schedule, the latest last. */
    public record ScheduleHistoryView(List<ScheduleSnapshot.Decision> decisions) implements View {}

    /**
     * The instants that a backfill makes up for.
     *
     * @param instants how many there are
     * @param first the first; left out if there is none
     * @param last the last; left out if there is none
     * @param stored how many of their jobs were stored, the others having one already that is not finished; 0 of a dry run
     */
    public record BackfillView(
            long instants,
            @Nullable Instant first,
            @Nullable Instant last,
            long stored) implements View {}

    /** Why a schedule fires or does not. */
    public record ScheduleExplanationView(ScheduleExplanation.Reason reason, String text) implements View {}

    /**
     * An instant of a schedule.
     *
     * @param instant when the schedule runs; for one that is skipped, when it would have
     * @param localTime the local time that it stands for
     * @param effect what daylight saving did to it
     */
    public record InstantView(Instant instant, String localTime, ScheduleInstant.Effect effect) {

        static InstantView of(ScheduleInstant one) {
            return new InstantView(one.instant(), one.localTime().toString(), one.effect());
        }
    }

    /** Routes over the schedules. */
    public SchedulesController(Schedules schedules) {
        this.schedules = schedules;
    }

    @GetMapping(name = "listSchedules")
    public Mono<SchedulesView> list(@RequestAttribute(Access.ATTRIBUTE) Access access) {
        return schedules.list(access).map(SchedulesView::new);
    }

    @GetMapping(name = "findSchedule", path = "/{name}")
    public Mono<ScheduleView> find(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String name) {
        return schedules.find(access, name);
    }

    @PutMapping(name = "putSchedule", path = "/{name}")
    public Mono<ScheduleView> put(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String name,
            @RequestBody ScheduleBody body) {
        return schedules.put(access, name, body);
    }

    @DeleteMapping(name = "removeSchedule", path = "/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    public Mono<Void> remove(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String name) {
        return schedules.remove(access, name);
    }

    @PostMapping(name = "triggerSchedule", path = "/{name}/trigger")
    public Mono<TriggeredView> trigger(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String name) {
        return schedules
                .trigger(access, name)
                .map(result -> new TriggeredView(new ResultView(result.id(), result.outcome())));
    }

    @PostMapping(name = "pauseSchedule", path = "/{name}/pause")
    public Mono<ScheduleView> pause(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String name) {
        return schedules.pause(access, name);
    }

    @PostMapping(name = "resumeSchedule", path = "/{name}/resume")
    public Mono<ScheduleView> resume(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String name) {
        return schedules.resume(access, name);
    }

    @PostMapping(name = "backfillSchedule", path = "/{name}/backfill")
    public Mono<BackfillView> backfill(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String name,
            @RequestBody BackfillBody body) {
        return schedules
                .backfill(access, name, body)
                .map(made -> new BackfillView(made.instants(), made.first(), made.last(), made.stored()));
    }

    @GetMapping(name = "scheduleHistory", path = "/{name}/history")
    public Mono<ScheduleHistoryView> history(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String name) {
        return schedules.find(access, name).map(found -> new ScheduleHistoryView(found.decisions()));
    }

    @GetMapping(name = "explainSchedule", path = "/{name}/explanation")
    public Mono<ScheduleExplanationView> explain(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String name) {
        return schedules
                .explain(access, name)
                .map(explained -> new ScheduleExplanationView(explained.reason(), explained.text()));
    }

    @GetMapping(name = "previewSchedule", path = "/{name}/preview")
    public Mono<PreviewView> preview(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String name,
            @RequestParam(defaultValue = "20") int count) {
        return schedules
                .preview(access, name, count)
                .map(instants ->
                        new PreviewView(instants.stream().map(InstantView::of).toList()));
    }
}

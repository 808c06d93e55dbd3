package io.delayjob.spring.autoconfigure;

import io.delayjob.DelayJobSchedules;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.OneScheduleDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.ScheduleActionDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.ScheduleDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.SchedulesDescriptor;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Shows the schedules of all queues, and acts on them. It only shows, unless the application says {@code
 * management.endpoint.delayjobschedules.access=unrestricted}.
 */
@Endpoint(id = "delayjobschedules", defaultAccess = Access.READ_ONLY)
final class DelayJobSchedulesEndpoint {

    private static final int LISTED = 100;

    private final DelayJobSchedules schedules;

    /** Actions on a schedule. */
    enum ScheduleAction {
        /** Stops it from firing. */
        PAUSE,
        /** Lets it fire again. */
        RESUME,
        /** Submits an extra occurrence. */
        TRIGGER
    }

    DelayJobSchedulesEndpoint(DelayJobSchedules schedules) {
        this.schedules = schedules;
    }

    /**
     * The schedules, by name.
     *
     * @param after the name after which the list begins
     * @param limit how many at most; 100 if not given
     */
    @ReadOperation
    WebEndpointResponse<Object> list(@Nullable String after, @Nullable String limit) {
        return DelayJobEndpoint.answer(() -> {
            int most = EndpointValues.number("limit", limit, LISTED);
            List<ScheduleSnapshot> all = schedules.list();
            return new SchedulesDescriptor(
                    all.size(),
                    all.stream()
                            .filter(one ->
                                    after == null || one.schedule().name().compareTo(after) > 0)
                            .limit(Math.max(0, most))
                            .map(ScheduleDescriptor::of)
                            .toList());
        });
    }

    /** A schedule, what became of its last instants, and why it fires or does not. */
    @ReadOperation
    WebEndpointResponse<Object> find(@Selector String name) {
        return DelayJobEndpoint.answer(() -> {
            ScheduleSnapshot found = known(name, schedules.find(name));
            return new OneScheduleDescriptor(
                    ScheduleDescriptor.of(found), schedules.explain(name).text(), found.decisions());
        });
    }

    /**
     * Acts on a schedule.
     *
     * @param action a {@link ScheduleAction}
     */
    @WriteOperation
    WebEndpointResponse<Object> act(@Selector String name, @Nullable String action) {
        return DelayJobEndpoint.answer(() -> {
            ScheduleAction wanted = EndpointValues.word(ScheduleAction.class, "action", action);
            String id = switch (wanted) {
                case PAUSE -> done(name, schedules.pause(name));
                case RESUME -> done(name, schedules.resume(name));
                case TRIGGER -> known(name, schedules.trigger(name)).id();
            };
            return new ScheduleActionDescriptor(name, wanted, id);
        });
    }

    private static @Nullable String done(String name, boolean found) {
        return found ? null : known(name, Optional.empty());
    }

    private static <T> T known(String name, Optional<T> found) {
        return found.orElseThrow(() -> new NoSuchElementException("there is no schedule '" + name + "'"));
    }
}

package io.delayjob.server.targets;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.BindingStatus;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.web.View;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A topic that is bound, as the asked server sees it.
 *
 * @param topic the topic
 * @param queue the queue of its jobs
 * @param target the address that they are delivered to; what follows a question mark, which may be secret, only for an admin
 * @param calls how many calls each server may have under way at once
 * @param perSecond how many calls each server may begin in a second; left out for no limit
 * @param timeout how long a call may take
 * @param secrets how many secrets calls are signed with
 * @param everyInstance whether a job goes to every instance of a service
 * @param origin where the binding comes from
 * @param state whether its jobs are delivered
 * @param reason why they are not; left out if they are
 * @param maker the caller that bound it; left out if the application, or a property of it, did
 */
public record TargetView(
        String topic,
        String queue,
        String target,
        int calls,
        @Nullable Integer perSecond,
        Duration timeout,
        int secrets,
        boolean everyInstance,
        BindingStatus.Origin origin,
        BindingStatus.State state,
        @Nullable String reason,
        @Nullable String maker)
        implements View {

    static TargetView of(BindingStatus status, Access access) {
        Binding binding = status.binding();
        return new TargetView(
                binding.topic(),
                binding.queue(),
                access.grant().allows(Role.ADMIN) ? binding.target() : withoutQuery(binding.target()),
                binding.calls(),
                binding.perSecond(),
                binding.timeout(),
                binding.secrets().size(),
                binding.everyInstance(),
                status.origin(),
                status.state(),
                status.reason(),
                status.maker());
    }

    /**
     * An address, without the part that may be secret.
     *
     * @param target the address
     * @return the address up to its question mark
     */
    public static String withoutQuery(String target) {
        return target.replaceFirst("[?].*", "?…");
    }
}

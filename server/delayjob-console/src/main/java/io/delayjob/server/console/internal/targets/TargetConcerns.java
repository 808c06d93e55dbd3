package io.delayjob.server.console.internal.targets;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.BindingStatus;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.server.console.internal.look.Concern;
import io.delayjob.server.console.internal.look.Concern.Severity;
import io.delayjob.server.console.internal.look.MoreConcerns;
import io.delayjob.server.console.internal.look.QueueLook;
import java.util.List;
import java.util.stream.Stream;

/** Finds the targets to which this server delivers nothing. */
public record TargetConcerns(DelayJobTargets targets) implements MoreConcerns {

    @Override
    public List<Concern> now(List<QueueLook> queues) {
        return targets.list().stream().flatMap(TargetConcerns::of).toList();
    }

    private static Stream<Concern> of(BindingStatus status) {
        Binding binding = status.binding();
        return switch (status.state()) {
            case OPEN -> Stream.empty();
            case HELD -> Stream.of(new Concern(Severity.BAD, "target-held", binding.queue(), 0, 0));
            case UNUSABLE -> Stream.of(new Concern(Severity.BAD, "target-unusable", binding.queue(), 0, 0));
            case PAUSED -> Stream.of(new Concern(Severity.WARN, "target-paused", binding.queue(), 0, 0));
            case CLOSED -> Stream.of(new Concern(Severity.WARN, "target-closed", binding.queue(), 0, 0));
        };
    }
}

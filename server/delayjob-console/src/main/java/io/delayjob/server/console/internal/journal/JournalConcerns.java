package io.delayjob.server.console.internal.journal;

import io.delayjob.DelayJobJournal;
import io.delayjob.server.console.internal.look.Concern;
import io.delayjob.server.console.internal.look.Concern.Severity;
import io.delayjob.server.console.internal.look.MoreConcerns;
import io.delayjob.server.console.internal.look.QueueLook;
import java.time.Duration;
import java.util.List;

/** Finds the queues whose journal is behind. It is known to the node that writes the journal, which is a server where servers have it. */
public record JournalConcerns(DelayJobJournal journal) implements MoreConcerns {

    private static final Duration BEHIND = Duration.ofSeconds(10);

    @Override
    public List<Concern> now(List<QueueLook> queues) {
        return queues.stream()
                .map(QueueLook::name)
                .map(queue -> new Concern(
                        Severity.BAD,
                        "journal-lag",
                        queue,
                        0,
                        journal.lag(queue).toMillis()))
                .filter(concern -> concern.millis() >= BEHIND.toMillis())
                .toList();
    }
}

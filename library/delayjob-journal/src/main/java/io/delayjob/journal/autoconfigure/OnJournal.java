package io.delayjob.journal.autoconfigure;

import io.delayjob.journal.internal.submitting.Modes;
import io.delayjob.spring.autoconfigure.DelayJobJournalProperties.Mode;
import io.delayjob.spring.autoconfigure.DelayJobProperties.QueueJournal;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if any queue has a journal. */
public final class OnJournal extends SpringBootCondition {

    /** Of a queue's properties, those of its journal. */
    record Queue(@DefaultValue QueueJournal journal) {}

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean any = matches(context.getEnvironment());
        return new ConditionOutcome(any, any ? "a queue has a journal" : "delayjob.journal.mode is off for all queues");
    }

    /**
     * Whether any queue has a journal.
     *
     * @param environment says which, as {@code delayjob.journal.mode} and {@code delayjob.queues.<name>.journal.mode}
     */
    public static boolean matches(Environment environment) {
        Modes modes = modes(environment);
        return modes.others() != Mode.OFF || modes.named().values().stream().anyMatch(mode -> mode != Mode.OFF);
    }

    /** The modes that the properties state. */
    static Modes modes(Environment environment) {
        Binder binder = Binder.get(environment);
        Mode others = binder.bind("delayjob.journal.mode", Mode.class).orElse(Mode.TRANSACTIONAL);
        Map<String, Mode> named = new HashMap<>();
        binder.bind("delayjob.queues", Bindable.mapOf(String.class, Queue.class))
                .orElse(Map.of())
                .forEach((name, queue) -> {
                    Mode mode = queue.journal().mode();
                    if (mode != null) {
                        named.put(name, mode);
                    }
                });
        return new Modes(others, named);
    }
}

package io.delayjob.spring.autoconfigure;

import io.delayjob.spring.InvalidConfigurationException;
import io.delayjob.spring.autoconfigure.DelayJobJournalProperties.Mode;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Refuses a journal that an application asks for and does not have. */
final class MissingJournal {

    private MissingJournal() {}

    /**
     * Checks an application without a journal.
     *
     * @throws InvalidConfigurationException if a property asks for one
     */
    static void refuse(Environment environment, DelayJobProperties properties) {
        refuse(
                "delayjob.journal.mode",
                Binder.get(environment)
                        .bind("delayjob.journal.mode", Mode.class)
                        .orElse(Mode.OFF));
        properties.queues().forEach((name, queue) -> {
            Mode mode = queue.journal().mode();
            refuse("delayjob.queues." + name + ".journal.mode", mode == null ? Mode.OFF : mode);
        });
    }

    private static void refuse(String property, Mode mode) {
        if (mode != Mode.OFF) {
            throw new InvalidConfigurationException(
                    property
                            + " asks for a journal, and the application has none: add the dependency io.delayjob:delayjob-journal,"
                            + " or remove the property",
                    null);
        }
    }
}

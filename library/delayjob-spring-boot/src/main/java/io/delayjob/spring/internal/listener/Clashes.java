package io.delayjob.spring.internal.listener;

import io.delayjob.engine.handler.DeclaredSchedule;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.settings.ConsumedQueue;
import io.delayjob.spring.InvalidConfigurationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds jobs and listeners that cannot be together in one application, although each is valid alone. */
record Clashes(List<Candidate> found, String defaultQueue) {

    /**
     * Refuses clashes.
     *
     * @throws InvalidConfigurationException if two clash; the message names both and the remedy
     */
    void refuse() {
        refuseSharedNames();
        refuseSharedIds();
        refuseSharedSchedules();
        refuseDifferent("concurrency", ConsumedQueue::concurrency);
        refuseDifferent("lease", ConsumedQueue::lease);
        refuseDifferent("autoStartup", ConsumedQueue::autoStartup);
    }

    private void refuseSharedNames() {
        Map<String, Candidate> named = new HashMap<>();
        for (Candidate second : found) {
            String name = second.job().name();
            Candidate first = named.putIfAbsent(name, second);
            if (first != null) {
                throw clash(first, second, "share the name '" + name + "'", remedy(first.job(), second.job()));
            }
        }
    }

    private static String remedy(Handler first, Handler second) {
        boolean listens = first.jobClass() == null || second.jobClass() == null;
        return listens
                ? "keep one bean of a class, and give each listener a topic of its own that is the name of no DelayJob"
                : "keep one bean of a class, and use each @DelayJobName once";
    }

    private void refuseSharedIds() {
        Map<String, Candidate> known = new HashMap<>();
        for (Candidate second : found) {
            ConsumedQueue listened = second.job().consumed();
            String id = listened == null ? null : listened.listener();
            Candidate first = id == null ? null : known.putIfAbsent(id, second);
            if (first != null) {
                throw clash(first, second, "share an id", "give each listener an id of its own");
            }
        }
    }

    private void refuseSharedSchedules() {
        Map<String, Candidate> known = new HashMap<>();
        for (Candidate second : found) {
            DeclaredSchedule declared = second.job().recurring();
            Candidate first = declared == null
                    ? null
                    : known.putIfAbsent(declared.schedule().name(), second);
            if (declared != null && first != null) {
                throw clash(
                        first,
                        second,
                        "share the schedule '" + declared.schedule().name() + "'",
                        "give each @RecurringDelayJob a name of its own");
            }
        }
    }

    /** The value that a listener states for an attribute of its queue. */
    private record Wish(Candidate listener, Object value) {}

    /** Two listeners of a queue may leave an attribute to each other, but not differ in it. */
    private void refuseDifferent(String attribute, Function<ConsumedQueue, @Nullable Object> stated) {
        Map<String, Wish> wishes = new HashMap<>();
        for (Candidate listener : found) {
            ConsumedQueue listened = listener.job().consumed();
            Object value = listened == null ? null : stated.apply(listened);
            if (listened != null && value != null) {
                String queue = listened.queue() == null ? defaultQueue : listened.queue();
                Wish second = new Wish(listener, value);
                refuseDifferent(attribute, queue, wishes.putIfAbsent(queue, second), second);
            }
        }
    }

    private static void refuseDifferent(String attribute, String queue, @Nullable Wish first, Wish second) {
        if (first != null && !first.value().equals(second.value())) {
            throw clash(
                    first.listener(),
                    second.listener(),
                    "state different " + attribute + " for queue '" + queue + "': " + first.value() + " and "
                            + second.value(),
                    "it belongs to the queue, so state it once or the same");
        }
    }

    private static InvalidConfigurationException clash(Candidate first, Candidate second, String clash, String remedy) {
        return new InvalidConfigurationException(
                first.description() + " and " + second.description() + " " + clash + "; " + remedy, null);
    }
}

package io.delayjob.redisson.internal.listener;

import io.delayjob.redisson.internal.engine.EngineSettings;
import io.delayjob.redisson.internal.engine.ListenedQueue;
import io.delayjob.redisson.internal.engine.ParamCodec;
import io.delayjob.redisson.internal.engine.RegisteredJob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Finds everything in an application that runs jobs, and refuses what clashes. */
public final class JobFinder {

    private final DelayJobBeans classes;
    private final ListenerBeans listeners;
    private final EngineSettings settings;

    /** In an application. */
    public JobFinder(ConfigurableListableBeanFactory beans, ParamCodec params, EngineSettings settings) {
        StatedOptions options = new StatedOptions(new BackoffBeans(beans));
        this.classes = new DelayJobBeans(beans, params, settings, options);
        this.listeners = new ListenerBeans(beans, new ListenerJobs(beans, params, settings, options));
        this.settings = settings;
    }

    /**
     * Looks at all beans.
     *
     * @throws InvalidConfigurationException if one cannot run jobs, or two cannot together
     */
    public List<RegisteredJob> find() {
        List<Candidate> found = Stream.concat(classes.find().stream(), listeners.find().stream())
                .toList();
        refuseSharedNames(found);
        refuseSharedIds(found);
        refuseDifferent("concurrency", ListenedQueue::concurrency, found);
        refuseDifferent("lease", ListenedQueue::lease, found);
        refuseDifferent("autoStartup", ListenedQueue::autoStartup, found);
        return found.stream().map(Candidate::job).toList();
    }

    private static void refuseSharedNames(List<Candidate> found) {
        Map<String, Candidate> named = new HashMap<>();
        for (Candidate second : found) {
            Candidate first = named.putIfAbsent(second.job().name(), second);
            if (first != null) {
                throw clash(
                        first,
                        second,
                        "share the name '" + second.job().name() + "'",
                        remedy(first.job(), second.job()));
            }
        }
    }

    private static String remedy(RegisteredJob first, RegisteredJob second) {
        boolean listens = first.listened() != null || second.listened() != null;
        return listens
                ? "keep one bean of a class, and give each listener a topic of its own that is the name of no DelayJob"
                : "keep one bean of a class, and use each @DelayJobName once";
    }

    private static void refuseSharedIds(List<Candidate> found) {
        Map<String, Candidate> known = new HashMap<>();
        for (Candidate second : found) {
            ListenedQueue listened = second.job().listened();
            Candidate first = listened == null ? null : known.putIfAbsent(listened.listener(), second);
            if (first != null) {
                throw clash(first, second, "share an id", "give each listener an id of its own");
            }
        }
    }

    /** Two listeners of a queue may leave an attribute to each other, but not differ in it. */
    private void refuseDifferent(
            String attribute, Function<ListenedQueue, @Nullable Object> value, List<Candidate> found) {
        Map<String, Candidate> stating = new HashMap<>();
        for (Candidate second : found) {
            ListenedQueue listened = second.job().listened();
            Object stated = listened == null ? null : value.apply(listened);
            if (listened == null || stated == null) {
                continue;
            }
            String queue = listened.queue() == null ? settings.defaultQueue() : listened.queue();
            Candidate first = stating.putIfAbsent(queue, second);
            ListenedQueue before = first == null ? null : first.job().listened();
            if (first != null && before != null && !stated.equals(value.apply(before))) {
                throw clash(
                        first,
                        second,
                        "state different " + attribute + " for queue '" + queue + "': " + value.apply(before) + " and "
                                + stated,
                        "it belongs to the queue, so state it once or the same");
            }
        }
    }

    private static InvalidConfigurationException clash(Candidate first, Candidate second, String clash, String remedy) {
        return new InvalidConfigurationException(
                first.description() + " and " + second.description() + " " + clash + "; " + remedy, null);
    }
}

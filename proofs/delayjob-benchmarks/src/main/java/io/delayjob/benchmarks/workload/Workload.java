package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One kind of load.
 *
 * @param name in the command and in the results
 * @param contenders contenders that it measures
 * @param load measures one contender
 * @param obstacle why it cannot be measured here; nothing if it can
 */
public record Workload(
        String name, Set<ContenderName> contenders, Consumer<Trial> load, Supplier<Optional<String>> obstacle) {

    Workload(String name, Set<ContenderName> contenders, Consumer<Trial> load) {
        this(name, contenders, load, Optional::empty);
    }

    /** Whether it says anything about that contender. */
    public boolean concerns(ContenderName contender) {
        return contenders.contains(contender);
    }

    /** Measures one contender and adds the measurements to the lab. */
    public void measure(Lab lab, ContenderName contender) {
        load.accept(new Trial(lab, name, contender));
    }
}

package io.delayjob.benchmarks;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.workload.Sizes;
import io.delayjob.benchmarks.workload.Workload;
import io.delayjob.benchmarks.workload.Workloads;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What is to be measured, and where the page goes.
 *
 * @param whole whether everything is measured, in full size: only then the page of the documentation is written
 */
record Options(
        List<Workload> workloads,
        List<ContenderName> contenders,
        Sizes sizes,
        boolean whole,
        boolean render,
        Path folder) {

    /** Of the system properties {@code benchmarks.*}. */
    static Options of(UnaryOperator<String> property) {
        List<String> workloads = words(property.apply("workloads"));
        List<String> contenders = words(property.apply("contenders"));
        boolean quick = isSet(property.apply("quick"));
        boolean whole = workloads.isEmpty() && contenders.isEmpty() && !quick;
        boolean render = isSet(property.apply("render"));
        return new Options(
                workloads.isEmpty() ? Workloads.all() : Workloads.of(workloads),
                contenders.isEmpty()
                        ? Arrays.asList(ContenderName.values())
                        : contenders.stream().map(ContenderName::of).toList(),
                quick ? Sizes.quick() : Sizes.full(),
                whole,
                render,
                Path.of(property.apply(whole || render ? "docs" : "out")));
    }

    private static List<String> words(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    // A property that is only named, as in -Dbenchmarks.quick, has the value "true" or an empty one.
    private static boolean isSet(String value) {
        return !value.equals("false");
    }
}

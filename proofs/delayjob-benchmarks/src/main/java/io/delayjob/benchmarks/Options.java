package io.delayjob.benchmarks;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.workload.Size;
import io.delayjob.benchmarks.workload.Workload;
import io.delayjob.benchmarks.workload.Workloads;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.springframework.util.StringUtils;

/**
 * Options of a run: what to measure, and the folder of the page. Only a run of everything or with {@code merge}, in full size, writes the page
 * of the documentation.
 *
 * @param command the command line that repeats the run, or with {@code merge} that of everything
 * @param render whether the page is only written anew, of the results that are there
 * @param merge whether the results take the place of those of the same workloads on the page, and the others stay
 */
record Options(
        List<Workload> workloads,
        List<ContenderName> contenders,
        Size size,
        String command,
        boolean render,
        boolean merge,
        Path folder) {

    private static final String COMMAND = "./mvnw -pl :delayjob-benchmarks -am -Pbenchmarks verify";

    /** Of the system properties {@code benchmarks.*}. */
    static Options of(UnaryOperator<String> property) {
        List<String> workloads = words(property.apply("workloads"));
        List<String> contenders = words(property.apply("contenders"));
        boolean quick = isSet(property.apply("quick"));
        boolean render = isSet(property.apply("render"));
        boolean comparesAll = contenders.isEmpty() && !quick;
        boolean merge = isSet(property.apply("merge"));
        if (merge && !comparesAll) {
            throw new IllegalArgumentException(
                    "-Dbenchmarks.merge is for workloads in full size with all contenders, as the page compares"
                            + " them: leave out -Dbenchmarks.quick and -Dbenchmarks.contenders");
        }
        return new Options(
                workloads.isEmpty() ? Workloads.all() : Workloads.of(workloads),
                contenders.isEmpty()
                        ? Arrays.asList(ContenderName.values())
                        : contenders.stream().map(ContenderName::of).toList(),
                quick ? Size.QUICK : Size.FULL,
                COMMAND
                        + selected("workloads", merge ? List.of() : workloads)
                        + selected("contenders", contenders)
                        + (quick ? " -Dbenchmarks.quick" : ""),
                render,
                merge,
                Path.of(property.apply(comparesAll && (merge || workloads.isEmpty()) ? "docs" : "out")));
    }

    private static List<String> words(String list) {
        return List.of(StringUtils.tokenizeToStringArray(list, ","));
    }

    // -Dbenchmarks.quick without a value sets it, too.
    private static boolean isSet(String value) {
        return !value.equals("false");
    }

    private static String selected(String property, List<String> names) {
        return names.isEmpty() ? "" : " -Dbenchmarks.%s=%s".formatted(property, String.join(",", names));
    }
}

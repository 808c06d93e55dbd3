package io.delayjob.benchmarks.driver;

import io.delayjob.benchmarks.contender.ContenderMain;
import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.contender.ContenderProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The programs that speak the protocol of {@link ContenderMain}. */
public final class Programs {

    /** The options of the JVM of every contender; others by the system property {@code benchmarks.jvm}. */
    public static final List<String> JVM =
            List.of(System.getProperty("benchmarks.jvm", "-Xmx1g").split(" "));

    private Programs() {}

    /** The command line of a contender; nothing if it is not there on this machine. */
    static Optional<List<String>> command(ContenderName contender) {
        boolean here = ServiceLoader.load(ContenderProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .anyMatch(provider -> provider.name() == contender);
        return here ? Optional.of(java(System.getProperty("java.class.path"))) : Optional.empty();
    }

    private static List<String> java(String classPath) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return Stream.of(List.of(java), JVM, List.of("-cp", classPath, ContenderMain.class.getName()))
                .flatMap(List::stream)
                .toList();
    }

    /** Whether a contender can be measured here. */
    public static boolean isHere(ContenderName contender) {
        return command(contender).isPresent() && RunningStore.isHere(contender.storeKind());
    }
}

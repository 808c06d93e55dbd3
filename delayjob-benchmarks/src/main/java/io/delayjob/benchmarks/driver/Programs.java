package io.delayjob.benchmarks.driver;

import io.delayjob.benchmarks.contender.ContenderMain;
import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.contender.ContenderProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The programs that speak the protocol of {@link ContenderMain}. */
public final class Programs {

    /** The options of the JVM of every contender. */
    public static final List<String> JVM = List.of("-Xmx1g");

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
        return List.of(java, JVM.get(0), "-cp", classPath, ContenderMain.class.getName());
    }

    /** Whether a contender can be measured here. */
    public static boolean isHere(ContenderName contender) {
        return command(contender).isPresent() && RunningStore.isHere(contender.storeKind());
    }
}

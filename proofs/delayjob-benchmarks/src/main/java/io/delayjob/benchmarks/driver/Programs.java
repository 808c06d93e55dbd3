package io.delayjob.benchmarks.driver;

import io.delayjob.benchmarks.contender.ContenderMain;
import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.contender.ContenderName.StoreKind;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The programs that run contenders; all speak the protocol of {@link ContenderMain}. */
public final class Programs {

    /** The options of the JVM of every contender; others by the system property {@code benchmarks.jvm}. */
    public static final List<String> JVM =
            List.of(System.getProperty("benchmarks.jvm", "-Xmx1g").split(" "));

    /** Those of a program that is started as its users do: none, unless the property is set. */
    static final List<String> JVM_OF_USERS = System.getProperty("benchmarks.jvm") == null ? List.of() : JVM;

    /** Where the classes of this module are, a folder or a jar, two below the module. */
    private static final Path CLASSES = Path.of(URI.create(ContenderMain.class
            .getProtectionDomain()
            .getCodeSource()
            .getLocation()
            .toString()));

    private static final Path MODULE = CLASSES.resolve("../..").normalize();
    private static final Path RQUEUE = MODULE.resolve("rqueue/target");
    /** The programs of Node.js. */
    static final Path BULLMQ = MODULE.resolve("bullmq");

    /** The server as a program; built before this module. */
    static final Path SERVER = MODULE.resolve("../../server/delayjob-server/target/delayjob-server.jar")
            .normalize();

    /** The demo; built before this module. */
    static final Path DEMO = MODULE.resolve("../../delayjob-demo-app/target/delayjob-demo-app.jar")
            .normalize();

    /** A web application with nothing in it; built before this module. */
    static final Path EMPTY = MODULE.resolve("empty/target/delayjob-benchmarks-empty.jar");

    private Programs() {}

    /**
     * The command line that runs a contender for which there is no {@link #obstacle}.
     *
     * @param heap the most memory that its JVM takes for objects; null for the usual
     */
    static List<String> command(ContenderName contender, @Nullable String heap) {
        List<String> jvm = heap == null
                ? JVM
                : Stream.concat(JVM_OF_USERS.stream(), Stream.of("-Xmx" + heap)).toList();
        return switch (contender) {
            case BULLMQ -> List.of("node", BULLMQ.resolve("main.mjs").toString());
            case RQUEUE -> java(jvm, rqueueClassPath());
            default -> java(jvm, System.getProperty("java.class.path"));
        };
    }

    private static List<String> java(List<String> jvm, String classPath) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return Stream.of(List.of(java), jvm, List.of("-cp", classPath, ContenderMain.class.getName()))
                .flatMap(List::stream)
                .toList();
    }

    /** Its own, because Rqueue needs another Boot. */
    private static String rqueueClassPath() {
        try {
            String others = Files.readString(RQUEUE.resolve("class-path"));
            return String.join(File.pathSeparator, RQUEUE.resolve("classes").toString(), CLASSES.toString(), others);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Why a contender cannot be measured here; nothing if it can. */
    public static Optional<String> obstacle(ContenderName contender) {
        Optional<String> obstacle =
                contender.storeKind() == StoreKind.POSTGRESQL ? PostgresStore.obstacle() : Optional.empty();
        return obstacle.or(() -> switch (contender) {
            case RQUEUE -> missing(RQUEUE.resolve("class-path"), "build proofs/delayjob-benchmarks/rqueue first");
            case BULLMQ -> missing(BULLMQ.resolve("node_modules"), "it needs Node.js, and `npm ci` in " + BULLMQ);
            default -> Optional.empty();
        });
    }

    private static Optional<String> missing(Path path, String remedy) {
        return Files.exists(path) ? Optional.empty() : Optional.of(remedy);
    }
}

package io.delayjob.reliability.harness;

import io.delayjob.reliability.node.Journal;
import io.delayjob.reliability.node.NodeApplication;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.Variants;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * The classes of nodes, read and checked once for all nodes of a run (class data sharing): a node is then up with half of the
 * processor's time. The archive comes of a first node, which does nothing else. Where long tests run, whose nodes mostly have a journal, it has
 * one, too, places orders and runs their jobs. The JVM archives no class of a folder, so that the class path is made one of jars.
 *
 * @param path the class path
 * @param archive the archive that the JVM has made of its classes
 */
record NodeClasses(String path, Path archive) {

    /** So many orders are placed by each of several threads, and so many jobs of them awaited. */
    private static final int JOBS = 10;

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static @Nullable NodeClasses shared;

    /** The class path and archive for all nodes of this run; the first call makes them, and takes some seconds. */
    static synchronized NodeClasses shared() {
        if (shared == null) {
            shared = make();
        }
        return shared;
    }

    /** The JVM option that uses the archive. */
    String option() {
        return "-XX:SharedArchiveFile=" + archive;
    }

    private static NodeClasses make() {
        try {
            Path folder = Files.createTempDirectory("delayjob-nodes-");
            NodeClasses classes = new NodeClasses(jars(folder), folder.resolve("nodes.jsa"));
            classes.archive(folder);
            deleteOnExit(folder);
            return classes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The class path of this JVM, with a jar in place of each folder. */
    private static String jars(Path folder) throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String entry :
                StringUtils.delimitedListToStringArray(System.getProperty("java.class.path"), File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                jars.add(jar(path, folder.resolve("folder-" + jars.size() + ".jar")));
            } else if (Files.exists(path)) {
                jars.add(path);
            }
        }
        return jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static Path jar(Path folder, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Path path : within(folder)) {
                String name = folder.relativize(path).toString().replace(File.separatorChar, '/');
                // Folders too: what searches one for files, as Flyway does, finds none in a jar that has not its entry.
                out.putNextEntry(new JarEntry(Files.isDirectory(path) ? name + "/" : name));
                if (Files.isRegularFile(path)) {
                    Files.copy(path, out);
                }
            }
        }
        return jar;
    }

    private static List<Path> files(Path folder) throws IOException {
        return within(folder).stream().filter(Files::isRegularFile).toList();
    }

    private static List<Path> within(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> !path.equals(folder)).toList();
        }
    }

    private void archive(Path folder) {
        try (OwnRedis redis = OwnRedis.start();
                NodeProcess first = NodeProcess.launch(
                        NodeApplication.class,
                        "first",
                        folder,
                        List.of("-XX:ArchiveClassesAtExit=" + archive),
                        path,
                        properties(redis))) {
            first.awaitReady();
            if (Variants.proofs()) {
                first.awaitLines(Journal.Kind.COMPLETED, JOBS, PATIENCE);
            }
            first.terminate();
            first.awaitEnd();
            if (!Files.exists(archive)) {
                throw new IllegalStateException("the JVM archived no classes:\n" + first.log());
            }
        }
    }

    /** Without a journal in the first tier: no node of its tests has one, and starting a database costs more than it saves. */
    private static List<String> properties(OwnRedis redis) {
        List<String> properties = new ArrayList<>(List.of("spring.data.redis.url=" + redis.url()));
        if (Variants.proofs()) {
            properties.addAll(Postgres.journal(Postgres.freshWithOrders()));
            properties.add("node.orders=" + JOBS);
        }
        return properties;
    }

    private static void deleteOnExit(Path folder) throws IOException {
        folder.toFile().deleteOnExit();
        for (Path file : files(folder)) {
            file.toFile().deleteOnExit();
        }
    }
}

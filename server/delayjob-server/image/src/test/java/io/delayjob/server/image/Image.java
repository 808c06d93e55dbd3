package io.delayjob.server.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The image that the build has made, unpacked. */
final class Image {

    private static final Path TAR = Path.of("target/delayjob-server-image.tar");
    private static final JsonMapper JSON = new JsonMapper();

    private final Path root;
    private final JsonNode configuration;

    private Image(Path root, JsonNode configuration) {
        this.root = root;
        this.configuration = configuration;
    }

    /**
     * Unpacks it.
     *
     * @param folder an empty one
     */
    static Image unpacked(Path folder) throws IOException, InterruptedException {
        Path image = Files.createDirectories(folder.resolve("image"));
        Path root = Files.createDirectories(folder.resolve("root"));
        untar(TAR, image);
        JsonNode manifest =
                JSON.readTree(image.resolve("manifest.json").toFile()).get(0);
        for (JsonNode layer : manifest.path("Layers")) {
            untar(image.resolve(layer.asText()), root);
        }
        return new Image(
                root,
                JSON.readTree(image.resolve(manifest.path("Config").asText()).toFile()));
    }

    private static void untar(Path archive, Path into) throws IOException, InterruptedException {
        Process tar = new ProcessBuilder("tar", "-xf", archive.toAbsolutePath().toString(), "-C", into.toString())
                .redirectErrorStream(true)
                .start();
        String said;
        try (InputStream output = tar.getInputStream()) {
            said = new String(output.readAllBytes());
        }
        if (tar.waitFor() != 0) {
            throw new IOException("tar of " + archive + ": " + said);
        }
    }

    /** Where its files are. */
    Path root() {
        return root;
    }

    /** The settings of a container of it: {@code Entrypoint}, {@code Env}, {@code User} and so on. */
    JsonNode container() {
        return configuration.path("config");
    }

    /** Runs its entry point with its environment and with this JVM's Java, without what else a container has. */
    Process run(List<String> environment, Path output) throws IOException {
        List<String> command = new ArrayList<>();
        container().path("Entrypoint").forEach(word -> command.add(word.asText()));
        command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.replaceAll(word -> word.replace("/app/", root + "/app/"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(root.resolve("app").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().clear();
        container().path("Env").forEach(variable -> set(builder, variable.asText()));
        environment.forEach(variable -> set(builder, variable));
        return builder.start();
    }

    private static void set(ProcessBuilder builder, String variable) {
        String[] parts = variable.split("=", 2);
        builder.environment().put(parts[0], parts[1]);
    }
}

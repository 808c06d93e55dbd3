package io.delayjob.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The files of the tree. Paths are relative to it, with slashes. */
record Tree(Path root) {

    private static final String SOURCES = "https://github.com/delayjob/delayjob/blob/main/";
    private static final List<String> TOP = List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md");

    /** The Markdown that the site has. */
    List<String> pages() throws IOException {
        return Stream.concat(TOP.stream(), docs().filter(path -> path.endsWith(".md")))
                .sorted()
                .toList();
    }

    private Stream<String> docs() throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
            return files
                    .filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString().replace('\\', '/'))
                    .toList()
                    .stream();
        }
    }

    String read(String path) throws IOException {
        return Files.readString(root.resolve(path));
    }

    boolean has(String path) {
        return Files.exists(root.resolve(path));
    }

    /** Where a file of the tree stands on the site: a page, a copied file of docs, or the sources elsewhere. */
    String target(String path) {
        if ((path.startsWith("docs/") && Files.isRegularFile(root.resolve(path))) || TOP.contains(path)) {
            return path.endsWith(".md") ? page(path) : path.substring("docs/".length());
        }
        return SOURCES + path;
    }

    /** The file of a page: {@code docs/guide.md} is {@code guide.html}, the README is the index. */
    static String page(String path) {
        String name = path.startsWith("docs/") ? path.substring("docs/".length()) : path.toLowerCase(Locale.ROOT);
        if (path.equals("README.md")) {
            return "index.html";
        } else if (path.equals("docs/README.md")) {
            return "contents.html";
        }
        return name.replaceAll("README\\.md$", "index.md").replaceAll("\\.md$", ".html");
    }

    /** Pictures and other files beside the pages. */
    void copyAssets(Path folder) throws IOException {
        for (String path : docs().filter(path -> !path.endsWith(".md")).toList()) {
            Path file = folder.resolve(target(path));
            Files.createDirectories(file.getParent());
            Files.write(file, Files.readAllBytes(root.resolve(path)));
        }
    }
}

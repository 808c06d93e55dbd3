package io.delayjob.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Style and scripts of the pages. */
final class WebResources {

    static final String MERMAID_TAG = "<script src=\"{up}assets/mermaid.min.js\"></script>";

    private static final List<String> OWN = List.of("site.css", "site.js");
    private static final List<String> OTHERS = List.of(
            "dist/mermaid.min.js", "/highlight.min.js", "/styles/github.min.css", "/styles/github-dark.min.css");
    private static final String WEBJARS = "META-INF/resources/webjars/";

    private WebResources() {}

    static String text(String name) {
        try (InputStream in = WebResources.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void copy(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (String name : OWN) {
            Files.writeString(folder.resolve(name), text(name));
        }
        for (URL jar : Collections.list(WebResources.class.getClassLoader().getResources(WEBJARS))) {
            copy(((JarURLConnection) jar.openConnection()).getJarFile(), folder);
        }
    }

    private static void copy(JarFile jar, Path folder) throws IOException {
        for (JarEntry entry : Collections.list(jar.entries())) {
            String name = entry.getName();
            if (OTHERS.stream().anyMatch(name::endsWith) && !name.contains("/base16/")) {
                try (InputStream in = jar.getInputStream(entry)) {
                    Files.write(folder.resolve(name.substring(name.lastIndexOf('/') + 1)), in.readAllBytes());
                }
            }
        }
    }
}

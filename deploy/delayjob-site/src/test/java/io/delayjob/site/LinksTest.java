package io.delayjob.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The links of the Markdown lead somewhere, on GitHub as on the site, and to every page leads one. */
class LinksTest {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Path CONTENTS = ROOT.resolve("docs/README.md");
    private static final Pattern MENU_ITEM = Pattern.compile("<item .*href=\"(?!apidocs/)([^\"]+)\\.html\"");

    @TempDir
    private Path folder;

    @Test
    void noLinkLeadsNowhere() throws IOException {
        List<Path> files = pages();
        assertThat(files).hasSizeGreaterThan(30);
        for (Path file : files) {
            assertThat(MarkdownPage.read(file).brokenLinks())
                    .as("%s", ROOT.relativize(file))
                    .isEmpty();
        }
    }

    @Test
    void listsEveryPageInTheTableOfContents() throws IOException {
        assertThat(pages().stream()
                        .filter(file -> file.startsWith(ROOT.resolve("docs")))
                        .filter(file -> !file.startsWith(ROOT.resolve("docs/decisions")))
                        .filter(file -> !file.equals(CONTENTS)))
                .isSubsetOf(contents());
    }

    @Test
    void theMenuOfTheSiteIsTheTableOfContents() throws IOException {
        assertThat(MENU_ITEM
                        .matcher(Files.readString(Path.of("src/site/site.xml")))
                        .results()
                        .map(item -> ROOT.resolve(item.group(1) + ".md")))
                .containsExactlyElementsOf(contents());
    }

    @Test
    void namesEveryBrokenLink() throws IOException {
        Files.writeString(folder.resolve("guide.md"), "# Guide\n\n## `First` steps, 1.0\n\n## A\n\n## A\n");
        Path page = folder.resolve("README.md");
        Files.writeString(page, """
                # Home

                [a](guide.md#first-steps-10) [b](guide.md#a-1) [c](#home) [d](https://example.org/x.md#gone)
                [e](guide.md#gone) [f](gone.md) ![g](gone.png) [h](.)

                | a |
                |---|
                | [i](#gone) |
                """);
        assertThat(MarkdownPage.read(page).brokenLinks())
                .containsExactly("guide.md#gone", "gone.md", "gone.png", ".", "#gone");
    }

    private static List<Path> contents() throws IOException {
        MarkdownPage contents = MarkdownPage.read(CONTENTS);
        return contents.links().stream()
                .filter(link -> !link.contains(":"))
                .map(contents::target)
                .toList();
    }

    /** The Markdown files of the root folder, of docs and of the clients. */
    private static List<Path> pages() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> clients = Files.list(ROOT.resolve("clients"))) {
            Stream<Path> readmes =
                    clients.map(client -> client.resolve("README.md")).filter(Files::exists);
            return Stream.of(top, docs, readmes)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        }
    }
}

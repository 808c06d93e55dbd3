package io.delayjob.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of this tree, and what the site does with a small one. */
class SiteTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LOCAL = Pattern.compile("(?:href|src)=\"(?!https?:|mailto:)([^\"#]+)[^\"]*\"");

    @TempDir
    private Path folder;

    @Test
    void writesEveryPageOfTheTreeAndNoLinkLeadsNowhere() throws IOException {
        Site.read(ROOT, "1").write(folder);
        List<Path> pages = pages();
        assertThat(pages).hasSizeGreaterThan(30);
        for (Path page : pages) {
            assertThat(linksOf(page))
                    .as("%s", page)
                    .isNotEmpty()
                    .allSatisfy(link -> assertThat(page.resolveSibling(link).normalize())
                            .satisfiesAnyOf(
                                    target -> assertThat(target).exists(),
                                    target -> assertThat(target).startsWith(folder.resolve("api"))));
        }
    }

    @Test
    void listsEveryPageOfDocsInItsNavigation() throws IOException {
        Tree tree = new Tree(ROOT);
        Set<String> listed = Navigation.of(Pages.read(tree)).sections().stream()
                .flatMap(section -> section.entries().stream())
                .map(Navigation.Entry::file)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(listed)
                .containsAll(tree.pages().stream()
                        .filter(source -> source.startsWith("docs/") && !source.startsWith("docs/decisions/0"))
                        .filter(source -> !source.equals(Navigation.SOURCE))
                        .map(Tree::page)
                        .toList());
    }

    @Test
    void rewritesLinksForTheSite() throws IOException {
        small("[a](docs/guide.md#first-steps) [b](pom.xml) [c](https://example.org/x.md) ![p](docs/p.png)");
        Site.read(folder, "1").write(folder.resolve("out"));
        assertThat(Files.readString(folder.resolve("out/index.html")))
                .contains(
                        "href=\"guide.html#first-steps\"",
                        "/blob/main/pom.xml\"",
                        "href=\"https://example.org/x.md\"",
                        "src=\"p.png\"")
                .contains("<title>Home · delayjob</title>");
        assertThat(folder.resolve("out/p.png")).exists();
        assertThat(Files.readString(folder.resolve("out/guide.html"))).contains("aria-current=\"page\"");
    }

    @Test
    void namesEveryBrokenLink() throws IOException {
        small("[a](docs/gone.md) [b](docs/guide.md#gone) [c](#home)");
        assertThatThrownBy(() -> Site.read(folder, "1"))
                .isInstanceOf(BrokenLinksException.class)
                .hasMessageContaining("README.md: docs/gone.md")
                .hasMessageContaining("README.md: docs/guide.md#gone")
                .hasMessageNotContaining("#home");
    }

    private void small(String home) throws IOException {
        Files.createDirectories(folder.resolve("docs"));
        write("README.md", "# Home\n\n" + home);
        write("docs/README.md", "# Contents\n\n## Guides\n\n- [Guide](guide.md)\n");
        write("docs/guide.md", "# Guide\n\n## First steps\n");
        write("docs/p.png", "");
        for (String other : List.of("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "pom.xml")) {
            write(other, "");
        }
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(folder.resolve(file), text);
    }

    private List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".html")).toList();
        }
    }

    private static List<String> linksOf(Path page) throws IOException {
        return LOCAL.matcher(Files.readString(page))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }
}

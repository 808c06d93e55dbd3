package io.delayjob.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of the architecture names each folder of modules, and there are at most ten, so that a newcomer sees them at a look. */
class FoldersTest {

    private static final Path ROOT = Path.of("../..");
    private static final Pattern ROW = Pattern.compile("^\\| ((`[a-z-]+`(, )?)+) \\|", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`([a-z-]+)`");
    private static final Pattern MODULE = Pattern.compile("<module>([a-z-]+)(/[^<]+)?</module>");

    @Test
    void theTableOfFoldersHasEachFolderOfModules() throws IOException {
        Set<String> folders = matches(MODULE, Files.readString(ROOT.resolve("pom.xml")));
        assertThat(folders)
                .hasSizeBetween(2, 9)
                .allSatisfy(folder -> assertThat(ROOT.resolve(folder)).isDirectory());
        assertThat(table()).containsExactlyInAnyOrderElementsOf(folders);
    }

    private static List<String> table() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/architecture.md"));
        int from = page.indexOf("| folder | ");
        String table = page.substring(from, page.indexOf("\n\n", from));
        return ROW.matcher(table)
                .results()
                .flatMap(row -> matches(NAME, row.group(1)).stream())
                .toList();
    }

    private static Set<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).collect(Collectors.toSet());
    }
}

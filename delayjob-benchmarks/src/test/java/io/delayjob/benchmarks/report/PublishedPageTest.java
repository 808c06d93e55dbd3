package io.delayjob.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page in docs is what its results say, and can be drawn again. */
class PublishedPageTest {

    private static final Path DOCS = Path.of("..", "docs");

    @Test
    void isMadeOfItsResults() throws IOException {
        assertThat(DOCS.resolve("performance.md"))
                .as("after a change run the benchmarks with -Dbenchmarks.render")
                .hasContent(Page.render(published()));
    }

    /** XChart has looked without an end for labels of a scale. */
    @Test
    @Timeout(120)
    void itsPicturesAreDrawnInTime(@TempDir Path folder) throws IOException {
        assumeTrue(fontsAreThere(), "Java finds no fonts on this machine, so that no picture can be drawn");
        Pictures.write(published(), folder);
        for (String picture : new String[] {Pictures.BURST, Pictures.LATENESS, Pictures.SCALING}) {
            assertThat(folder.resolve(picture)).isNotEmptyFile();
            assertThat(DOCS.resolve(Path.of("images", "performance", picture))).isNotEmptyFile();
        }
    }

    private static Results published() throws IOException {
        return Results.read(DOCS.resolve("performance.json"));
    }

    /** A machine with nothing but a JDK may have none. */
    private static boolean fontsAreThere() {
        try {
            return java.awt.GraphicsEnvironment.getLocalGraphicsEnvironment().getAvailableFontFamilyNames().length > 0;
        } catch (RuntimeException | Error e) {
            return false;
        }
    }
}

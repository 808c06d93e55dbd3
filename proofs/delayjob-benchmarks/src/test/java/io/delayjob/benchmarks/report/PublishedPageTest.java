package io.delayjob.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page in docs is what its results say. */
class PublishedPageTest {

    private static final Path DOCS = Path.of("../..", "docs");

    @Test
    void isMadeOfItsResults() throws IOException {
        assertThat(DOCS.resolve("performance.md"))
                .as("after a change run the benchmarks with -Dbenchmarks.render")
                .hasContent(Page.render(published()));
    }

    @Test
    void itsPicturesAreMadeOfItsResults() throws IOException {
        assertThat(Pictures.of(published()))
                .hasSize(3)
                .allSatisfy((file, svg) -> assertThat(
                                DOCS.resolve("images/performance").resolve(file))
                        .hasContent(svg));
    }

    private static Results published() throws IOException {
        return Results.read(DOCS.resolve("performance.json"));
    }
}

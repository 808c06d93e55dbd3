package io.delayjob.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavadocsTest {

    @TempDir
    private Path folder;

    @Test
    void writesTheApiOfAllThatIsPublishedAndNothingInternal() throws IOException {
        Javadocs.write(Path.of("..").toAbsolutePath().normalize(), folder);
        assertThat(folder)
                .isDirectoryRecursivelyContaining("glob:**/io/delayjob/DelayJobProducer.html")
                .isDirectoryRecursivelyContaining("glob:**/autoconfigure/DelayJobAutoConfiguration.html")
                .isDirectoryRecursivelyContaining("glob:**/modulith/DelayJobExternalized.html")
                .isDirectoryRecursivelyContaining("glob:**/test/DelayJobTest.html");
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files)
                    .noneMatch(file -> folder.relativize(file).toString().contains("internal"));
        }
    }
}

package io.delayjob.embedded.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.delayjob.embedded.EmbeddedRedis;
import io.delayjob.embedded.EmbeddedRedisException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class EmbeddedRedisFailureAnalyzerTest {

    @Test
    void saysWhatFailedAndWhatToDo(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        EmbeddedRedisException failure =
                catchThrowableOfType(EmbeddedRedisException.class, () -> EmbeddedRedis.startOrReuse(file));

        FailureAnalysis analysis = new EmbeddedRedisFailureAnalyzer().analyze(failure, failure);

        assertThat(analysis.getDescription()).contains(file.toString());
        assertThat(analysis.getAction()).contains("--spring.data.redis.host").contains("--embedded-redis.folder");
    }
}

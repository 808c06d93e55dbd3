package io.delayjob.server.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.JobOptions;
import io.delayjob.server.jobs.JobBody;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every option of a job is on every surface. An option that is added to {@link JobOptions} fails here until it is on all of them. */
class JobOptionsEverywhereTest {

    private static final List<String> OPTIONS = names(JobOptions.class);

    private static List<String> names(Class<? extends Record> type) {
        return Stream.of(type.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }

    @Test
    void canBeSubmittedOverHttp() {
        assertThat(names(JobBody.class)).containsAll(OPTIONS);
    }

    @Test
    void isInThePublishedSchemasOfJobs() throws IOException {
        JsonNode schemas = JsonMapper.shared()
                .readTree(Files.readString(Path.of("../../docs/openapi.json")))
                .at("/components/schemas");
        for (String schema : List.of("JobBody", "JobView", "ClaimedJobView")) {
            assertThat(schemas.path(schema).path("properties").propertyNames())
                    .as(schema)
                    .containsAll(OPTIONS);
        }
    }

    @Test
    void isDocumentedForSubmits() throws IOException {
        String page = Files.readString(Path.of("../../docs/server.md"));
        assertThat(OPTIONS).allSatisfy(option -> assertThat(page).contains("`" + option + "`"));
    }

    @Test
    void isOnTheConsolesPageOfAJob() throws IOException {
        try (InputStream page =
                JobOptions.class.getResourceAsStream("/io/delayjob/server/console/templates/job.html")) {
            String text = new String(page.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(OPTIONS).allSatisfy(option -> assertThat(text).contains("job.options." + option));
        }
    }
}

package io.delayjob.server.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.JobSnapshot;
import io.delayjob.server.internal.jobs.JobView;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.JobDescriptor;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every field of a job is on every surface. A field that is added to {@link JobSnapshot} fails here until it is on all of them. */
class JobFieldsEverywhereTest {

    private static final List<String> FIELDS = names(JobSnapshot.class);

    private static List<String> names(Class<? extends Record> type) {
        return Stream.of(type.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }

    @Test
    void isInTheAnswersOfTheApi() {
        Map<String, String> renamed = Map.of("job", "topic", "leaseExpiresAt", "leaseEndsAt");
        assertThat(names(JobView.class))
                .containsExactlyInAnyOrderElementsOf(FIELDS.stream()
                        .map(field -> renamed.getOrDefault(field, field))
                        .toList());
    }

    @Test
    void isShownByTheActuatorEndpointUnlessItMayBeSecret() {
        Set<String> secret = Set.of("lastError", "result", "headers", "param");
        assertThat(names(JobDescriptor.class))
                .containsExactlyInAnyOrderElementsOf(FIELDS.stream()
                        .filter(field -> !secret.contains(field) && !field.equals("queue"))
                        .toList());
    }
}

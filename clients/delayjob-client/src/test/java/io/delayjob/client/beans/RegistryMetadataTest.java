package io.delayjob.client.beans;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.discovery.event.InstancePreRegisteredEvent;
import org.springframework.cloud.client.serviceregistry.Registration;

/** The types of beans and listeners in the metadata of a registry, beside what the application says there itself. */
@ExtendWith(OutputCaptureExtension.class)
@Isolated("reads what the whole JVM prints")
class RegistryMetadataTest {

    private final Map<String, String> metadata = new HashMap<>();

    private void register() {
        new RegistryMetadata(() -> List.of("mail", "letter"), "/run")
                .onApplicationEvent(new InstancePreRegisteredEvent(this, new Instance(metadata)));
    }

    @Test
    void namesAllTypes(CapturedOutput output) {
        register();

        assertThat(metadata).containsEntry("delay-queue:task", "mail,letter").containsEntry("delay-queue:path", "/run");
        assertThat(output).doesNotContain("WARN");
    }

    @Test
    void warnsOfTypesThatTheApplicationsOwnMetadataLeavesOut(CapturedOutput output) {
        metadata.put("delay-queue:task", "mail, old");

        register();

        assertThat(metadata).containsEntry("delay-queue:task", "mail, old");
        assertThat(output)
                .containsPattern("WARN .*'mail, old', so no server calls it for its other jobs \\[letter]")
                .contains("add them there, or remove delay-queue:task");
    }

    @Test
    void doesNotWarnIfTheApplicationsOwnMetadataNamesAll(CapturedOutput output) {
        metadata.put("delay-queue:task", "old,letter,mail");

        register();

        assertThat(output).contains("registers as 'shop'").doesNotContain("WARN");
    }

    /** An instance that is about to register. */
    private static final class Instance extends DefaultServiceInstance implements Registration {

        Instance(Map<String, String> metadata) {
            super("shop-1", "shop", "localhost", 80, false, metadata);
        }
    }
}

package io.delayjob.server.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.convert.DurationStyle;

/** The manifests and the compose file are valid, and fit the image and the program. */
class ManifestsIT {

    private static final Path ROOT = Path.of("../../..").toAbsolutePath().normalize();
    private static final Path FOLDER = ROOT.resolve("deploy/kubernetes");
    private static final Map<String, String> SELECTED = Map.of("app.kubernetes.io/name", "delayjob-server");

    /** Fails on any field that Kubernetes' API does not have: the models would keep those. */
    private static final ObjectMapper STRICT = new YAMLMapper()
            .setAnnotationIntrospector(new JacksonAnnotationIntrospector() {

                private static final long serialVersionUID = 1L;

                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                    return false;
                }
            });

    private static Deployment deployment;

    @TempDir
    private static Path folder;

    private static Image image;

    @BeforeAll
    static void read() throws Exception {
        deployment = read("deployment.yaml", Deployment.class).get(0);
        image = Image.unpacked(folder);
    }

    private static <T> List<T> read(String file, Class<T> type) throws IOException {
        List<T> read = new ArrayList<>();
        for (JsonNode document : documents(FOLDER.resolve(file))) {
            read.add(STRICT.treeToValue(document, type));
        }
        return read;
    }

    private static List<JsonNode> documents(Path file) throws IOException {
        YAMLFactory yaml = new YAMLFactory();
        return new ObjectMapper(yaml)
                .readerFor(JsonNode.class)
                .<JsonNode>readValues(yaml.createParser(Files.readString(file)))
                .readAll();
    }

    private static PodSpec pod() {
        return deployment.getSpec().getTemplate().getSpec();
    }

    private static Container server() {
        return pod().getContainers().get(0);
    }

    @Test
    void allSelectTheServersAlone() throws IOException {
        assertThat(deployment.getSpec().getSelector().getMatchLabels()).isEqualTo(SELECTED);
        assertThat(deployment.getSpec().getTemplate().getMetadata().getLabels()).isEqualTo(SELECTED);
        assertThat(read("service.yaml", Service.class))
                .hasSize(2)
                .allSatisfy(
                        service -> assertThat(service.getSpec().getSelector()).isEqualTo(SELECTED));
        assertThat(read("disruption.yaml", PodDisruptionBudget.class))
                .singleElement()
                .satisfies(budget -> assertThat(budget.getSpec().getSelector().getMatchLabels())
                        .isEqualTo(SELECTED));
        assertThat(read("network.yaml", NetworkPolicy.class))
                .singleElement()
                .satisfies(
                        policy -> assertThat(policy.getSpec().getPodSelector().getMatchLabels())
                                .isEqualTo(SELECTED));
    }

    @Test
    void portsAreThoseOfTheImage() throws IOException {
        List<String> ports = server().getPorts().stream()
                .map(port -> port.getContainerPort() + "/tcp")
                .toList();
        assertThat(image.container().path("ExposedPorts").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrderElementsOf(ports);
        assertThat(image.container().path("Env"))
                .extracting(JsonNode::asText)
                .contains("MANAGEMENT_SERVER_PORT=" + port("management"));
        assertThat(read("service.yaml", Service.class))
                .flatExtracting(service -> service.getSpec().getPorts())
                .allSatisfy(port ->
                        assertThat(port(port.getTargetPort().getStrVal())).isPositive());
    }

    private static int port(String name) {
        return server().getPorts().stream()
                .filter(port -> port.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getContainerPort();
    }

    @Test
    void probesAskForHealthAtThePortWithoutATokenWithinTheTimeOfTheStart() {
        assertThat(Stream.of(server().getStartupProbe(), server().getLivenessProbe())
                        .map(Probe::getHttpGet)
                        .map(HTTPGetAction::getPath))
                .containsOnly("/actuator/health/liveness");
        assertThat(server().getReadinessProbe().getHttpGet().getPath()).isEqualTo("/actuator/health/readiness");
        assertThat(Stream.of(server().getStartupProbe(), server().getLivenessProbe(), server().getReadinessProbe()))
                .allSatisfy(probe ->
                        assertThat(probe.getHttpGet().getPort().getStrVal()).isEqualTo("management"));
        Probe startup = server().getStartupProbe();
        assertThat(startup.getPeriodSeconds() * startup.getFailureThreshold()).isGreaterThanOrEqualTo(60);
    }

    @Test
    void aPodHasTimeForEachPhaseOfTheStop() throws IOException {
        JsonNode program = documents(ROOT.resolve("server/delayjob-server/src/main/resources/application.yaml"))
                .get(0);
        long phase = DurationStyle.detectAndParse(program.at("/spring/lifecycle/timeout-per-shutdown-phase")
                        .asText())
                .toSeconds();
        long before = server().getLifecycle().getPreStop().getSleep().getSeconds();
        // The web server's phase and the engine's, and as much again.
        assertThat(pod().getTerminationGracePeriodSeconds()).isGreaterThan(before + 3 * phase);
        JsonNode compose = documents(ROOT.resolve("deploy/compose.yaml")).get(0);
        assertThat(DurationStyle.detectAndParse(
                                compose.at("/services/server/stop_grace_period").asText())
                        .toSeconds())
                .isGreaterThan(3 * phase);
    }

    @Test
    void theProgramRunsAsTheUserOfTheImageAndWritesNothing() {
        String user = pod().getSecurityContext().getRunAsUser() + ":"
                + pod().getSecurityContext().getRunAsGroup();
        assertThat(image.container().path("User").asText()).isEqualTo(user);
        assertThat(pod().getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(server().getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
        assertThat(server().getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
        assertThat(server().getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
    }

    /** A limit on the processor would stop the JVM at its start, when it needs the most. */
    @Test
    void memoryIsLimitedToWhatIsAskedForAndTheProcessorIsNot() {
        assertThat(server().getResources().getLimits()).containsOnlyKeys("memory");
        assertThat(server().getResources().getLimits().get("memory"))
                .isEqualTo(server().getResources().getRequests().get("memory"));
    }

    @Test
    void theSecretIsMadeOfAFileThatTheUserHasToWrite() throws IOException {
        JsonNode kustomization = documents(FOLDER.resolve("kustomization.yaml")).get(0);
        assertThat(kustomization.at("/secretGenerator/0/name").asText())
                .isEqualTo(server().getEnvFrom().get(0).getSecretRef().getName());
        assertThat(kustomization.at("/secretGenerator/0/envs/0").asText()).isEqualTo("server.env");
        assertThat(FOLDER.resolve("server.env")).doesNotExist();
        for (JsonNode resource : kustomization.path("resources")) {
            assertThat(FOLDER.resolve(resource.asText())).exists();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubernetes/server.env.example", "compose.yaml"})
    void variablesAreProperties(String file) throws IOException {
        List<String> known = Files.readString(ROOT.resolve("docs/properties.md"))
                .lines()
                .filter(line -> line.startsWith("| `delayjob."))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .map(name -> name.replace("-", "_").replace('.', '_').toUpperCase(Locale.ROOT))
                .toList();
        List<String> variables = Files.readString(ROOT.resolve("deploy").resolve(file))
                .lines()
                .map(String::strip)
                .filter(line -> line.matches("DELAYJOB_[A-Z_]+[=:].*"))
                .map(line -> line.split("[=:]", 2)[0])
                .toList();
        assertThat(variables).hasSizeGreaterThanOrEqualTo(2).isSubsetOf(known);
    }

    /** A slash would end the host of a URL, and a blank the argument of a command line. */
    @Test
    void thePasswordOfTheComposeFileMayHaveAnyCharacters() throws IOException {
        JsonNode services =
                documents(ROOT.resolve("deploy/compose.yaml")).get(0).path("services");
        for (JsonNode value : services.at("/server/environment")) {
            assertThat(value.asText()).doesNotContainPattern(".\\$\\{DELAYJOB_PASSWORD");
        }
        assertThat(services.at("/redis/command").isArray()).isTrue();
    }

    @Test
    void allNameTheVersionOfTheImage() throws IOException {
        String version = image.container()
                .path("Labels")
                .path("org.opencontainers.image.version")
                .asText();
        assertThat(documents(FOLDER.resolve("kustomization.yaml"))
                        .get(0)
                        .at("/images/0/newTag")
                        .asText())
                .isEqualTo(version);
        assertThat(Files.readString(ROOT.resolve("deploy/compose.yaml")))
                .contains(":-delayjob-server:" + version + "}");
    }

    @Test
    void theMonitorSelectsTheServiceOfHealthAndMetrics() throws IOException {
        JsonNode monitor = documents(FOLDER.resolve("monitor.yaml")).get(0);
        Service service = read("service.yaml", Service.class).get(1);
        assertThat(monitor.at("/spec/selector/matchLabels"))
                .isEqualTo(STRICT.valueToTree(service.getMetadata().getLabels()));
        assertThat(monitor.at("/spec/endpoints/0/port").asText())
                .isEqualTo(service.getSpec().getPorts().get(0).getName());
        assertThat(monitor.at("/spec/endpoints/0/path").asText()).isEqualTo("/actuator/prometheus");
    }
}

package io.delayjob.server.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.delayjob.testing.JarProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import shop.jobs.ApiClient;
import shop.jobs.ApiException;
import shop.jobs.api.ClaimsApi;
import shop.jobs.api.JobsApi;
import shop.jobs.model.ClaimBody;
import shop.jobs.model.ClaimedJobView;
import shop.jobs.model.JobBody;
import shop.jobs.model.Settlement;
import shop.jobs.model.SettlementsBody;

/** Clients that are generated from docs/openapi.json compile, and the Java client works with the program. */
@Tag("proof")
class GeneratedClientsIT {

    private static final Path ROOT = Path.of("../../..").toAbsolutePath().normalize();
    private static final String TOKEN = "a-token-of-the-test";

    @TempDir
    Path folder;

    @Test
    void theJavaClientSubmitsClaimsAndSettles() throws Exception {
        try (JarProcess program = JarProcess.start(
                folder,
                ROOT.resolve("server/delayjob-server/target/delayjob-server.jar"),
                JarProcess.SHORT_LIVED,
                List.of("--delayjob.server.admin-token=" + TOKEN))) {
            ApiClient client = new ApiClient();
            client.updateBaseUri(program.url());
            client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + TOKEN));
            JobsApi jobs = new JobsApi(client);
            ClaimsApi claims = new ClaimsApi(client);

            jobs.submitJob(
                    "mail",
                    new JobBody()
                            .id("1")
                            .topic("greet")
                            .param(Map.of("name", "Ann"))
                            .delay("PT0S"));
            ClaimedJobView claimed = claims.claimJobs("mail", new ClaimBody().wait("PT60S"))
                    .getJobs()
                    .get(0);

            assertThat(claimed.getParam()).isEqualTo(Map.of("name", "Ann"));
            assertThat(claims.settleJobs(new SettlementsBody()
                                    .addSettlementsItem(new Settlement()
                                            .handle(claimed.getHandle())
                                            .action(Settlement.ActionEnum.COMPLETE)))
                            .getResults())
                    .singleElement()
                    .satisfies(result -> assertThat(result.getApplied()).isTrue());
            assertThatThrownBy(() -> jobs.findJob("mail", "1"))
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining("no-such-job");
        }
    }

    @Test
    void typeScriptThatUsesTheTypesCompiles() throws Exception {
        boolean hasNpm = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "npm")));
        assumeTrue(hasNpm, "npm is not on the PATH, so no TypeScript is made of the OpenAPI document");
        for (String file : List.of("package.json", "worker.ts")) {
            Files.copy(Path.of("src/test/typescript", file), folder.resolve(file));
        }
        run("npm", "install", "--no-audit", "--no-fund", "--no-package-lock");
        run("npx", "--no-install", "openapi-typescript", ROOT.resolve("docs/openapi.json") + "", "-o", "api.ts");
        run("npx", "--no-install", "tsc", "--strict", "--noEmit", "--target", "es2022", "worker.ts");
    }

    private void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor())
                .as("%s: %s", String.join(" ", command), said)
                .isZero();
    }
}

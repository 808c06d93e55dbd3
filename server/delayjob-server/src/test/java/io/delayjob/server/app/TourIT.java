package io.delayjob.server.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.testing.Chromium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Goes the way that docs/tour.md describes, with its own commands. It takes the pictures of that page, into target/tour, and with
 * {@code -Ddelayjob.docs.write=true} into the page.
 */
@Tag("proof")
class TourIT {

    private static final DocsPage PAGE = new DocsPage("tour.md");
    private static final Path PICTURES = Path.of("../../docs/images/console");
    private static final Path TAKEN = Path.of("target/tour");
    private static final Pattern PICTURE = Pattern.compile("!\\[[^]]+]\\(images/console/(\\w+)\\.png\\)");
    private static final boolean WRITES = Boolean.getBoolean("delayjob.docs.write");
    private static final int WIDTH = 1280;
    private static final String ENTER = "\uE007";

    @TempDir
    Path folder;

    @Test
    void thePageHasAPictureOfEachStop() {
        assertThat(PICTURE.matcher(PAGE.text()).results().map(found -> found.group(1)))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(PICTURES.resolve(name + ".png")).isNotEmptyFile());
    }

    @Test
    void aJobOutlivesItsWorkerAndTheServer() throws Exception {
        Shell.needs("docs/tour.md", "bash", "curl");
        try (ServerProcess server = ServerProcess.start(folder)) {
            Shell shell = new Shell(folder, Map.of());
            assertThat(commanded(shell, server, "\"delay\": \"PT2S\"")
                            .path("outcome")
                            .asString(""))
                    .isEqualTo("STORED");
            JsonNode first = claimed(shell, server, "first");
            JsonNode second = claimed(shell, server, "second");

            assertThat(first.path("param").path("order").asInt(0)).isEqualTo(42);
            assertThat(first.path("attempt").asInt(0)).isEqualTo(1);
            assertThat(second.path("id").asString("")).isEqualTo("order-42");
            assertThat(second.path("attempt").asInt(0)).isEqualTo(2);
            server.killNine();
        }
        try (ServerProcess again = ServerProcess.start(folder)) {
            assertThat(ServerProcess.get(again.url(), "/queues/tour/jobs/order-42")
                            .path("attempt")
                            .asInt(0))
                    .isEqualTo(2);
        }
    }

    private static JsonNode claimed(Shell shell, ServerProcess server, String worker) throws Exception {
        return commanded(shell, server, "\"worker\": \"" + worker + "\"")
                .path("jobs")
                .path(0);
    }

    /** The answer to the only command of the page that has a text. */
    private static JsonNode commanded(Shell shell, ServerProcess server, String text) throws Exception {
        String command = PAGE.only("sh", text)
                .replace("http://localhost:8080", server.url())
                .replace("demo-token", ServerProcess.TOKEN);
        return JsonMapper.shared().readTree(shell.run("bash", "-euc", command));
    }

    @Test
    void theConsoleShowsWhatThePageSays() throws Exception {
        Chromium.assumeFound(TourIT.class);
        try (ServerProcess server = ServerProcess.startAsUsersDo(folder, "--demo");
                Chromium browser = Chromium.start(WIDTH, 900)) {
            browser.looksAt(WIDTH, false);
            browser.open(server.url() + "/console");
            browser.type("#token", ServerProcess.TOKEN + ENTER);
            sees(browser, "carts: ", "no live node runs this queue");
            await().atMost(Duration.ofMinutes(3))
                    .untilAsserted(
                            () -> assertThat(browser.text()).containsPattern("orders: \\d+ died within the last hour"));
            if (WRITES) {
                // Charts of some minutes.
                await().atMost(Duration.ofMinutes(6))
                        .pollDelay(Duration.ofMinutes(5))
                        .until(() -> true);
            }
            take(browser, "overview");

            // The page does not change by itself, so it is opened again until jobs have failed in both ways.
            await().pollInterval(Duration.ofSeconds(1))
                    .atMost(Duration.ofMinutes(3))
                    .untilAsserted(() -> {
                        browser.press("e");
                        assertThat(browser.text())
                                .contains(
                                        "grouped by what failed and where",
                                        "HttpTimeoutException",
                                        "IllegalStateException");
                    });
            take(browser, "errors");

            browser.click("tbody a[href*='/errors/group?'][title*='IllegalStateException']");
            sees(browser, "Redrive …", "Failed on", "first died", "died, peak", "Latest error");
            take(browser, "group");

            browser.click("tbody tr:has(.DEAD) a[href*='/job?']");
            sees(browser, "Last error", "shop.orders.Orders.confirm", " of 3", "Redrive");
            take(browser, "job");
        }
    }

    private static void sees(Chromium browser, String... texts) {
        await().atMost(Duration.ofMinutes(3))
                .untilAsserted(() -> assertThat(browser.text()).contains(texts));
    }

    private static void take(Chromium browser, String name) throws IOException {
        for (Path place : WRITES ? List.of(TAKEN, PICTURES) : List.of(TAKEN)) {
            Files.createDirectories(place);
            Files.write(place.resolve(name + ".png"), browser.picture());
        }
    }
}

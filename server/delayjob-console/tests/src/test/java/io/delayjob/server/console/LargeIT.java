package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.testing.Chromium;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.RealRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The console in a browser beside 200,000 jobs in seven queues, of which one has 150,000. Says why it is skipped where there is no browser. */
@RealRedis
@Tag("proof")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class LargeIT {

    private static final int LARGE = 150_000;
    private static final int OTHERS = 6;
    private static final int OTHER = 50_000 / OTHERS;
    private static final int DEAD = 10;
    private static final int CHUNK = 10_000;
    private static final int WINDOWS = 12;
    private static final String ERROR = "java.io.IOException: the host of %s timed out";

    private OwnRedis redis;
    private TestConsole server;
    private Chromium browser;

    @BeforeAll
    void start() throws Exception {
        Chromium.assumeFound(LargeIT.class);
        redis = OwnRedis.start();
        server = TestConsole.startOn(
                redis.url(), TestConsole.Kind.NETTY, "delayjob.console.limits.live-pages-per-caller=1");
        queues().forEach((queue, jobs) -> {
            server.bury(queue, "mail", ERROR.formatted(queue), DEAD);
            fill(queue, jobs);
        });
        browser = Chromium.start(1280, 900);
        browser.open(server.url() + "/console");
        await().until(() ->
                browser.run("return document.querySelector('#token') !== null").asBoolean(false));
        browser.type("#token", TestConsole.ADMIN + "\uE007");
        sees("Needs attention");
    }

    @AfterAll
    void stop() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
        if (redis != null) {
            redis.close();
        }
    }

    /** The queues by their names, with the number of jobs that wait there. */
    private static Map<String, Integer> queues() {
        Map<String, Integer> queues = new LinkedHashMap<>();
        queues.put("large", LARGE);
        IntStream.range(0, OTHERS).forEach(other -> queues.put("other-" + other, OTHER));
        return queues;
    }

    /** Submits jobs that are due in five hours, or up to a minute after that. */
    private void fill(String queue, int jobs) {
        DelayJobProducer producer = server.bean(DelayJobProducer.class);
        for (int begin = 0; begin < jobs; begin += CHUNK) {
            List<DelayJobRequest<Map<String, Integer>>> chunk = IntStream.range(begin, Math.min(jobs, begin + CHUNK))
                    .mapToObj(order -> DelayJobRequest.toTopic("post", Map.of("order", order))
                            .withQueue(queue))
                    .toList();
            producer.submitDelayJobs(chunk, Duration.ofHours(5));
        }
    }

    private void sees(String text) {
        await().atMost(Duration.ofMinutes(1)).until(browser::text, seen -> seen.contains(text));
    }

    private void open(String path) {
        browser.open(server.url() + "/console" + path);
    }

    @Test
    void theOverviewCountsEveryQueueAndEveryListHasItsShareOfThem() {
        open("");
        sees("150,000");
        queues().keySet().forEach(this::sees);

        open("/schedule?next=day");
        queues().keySet().forEach(this::sees);
        assertThat(browser.text())
                .as("a queue of which not all jobs were looked at says so, and leads to the rest")
                .contains("look at all");
        browser.click("a[href$='next=day&queue=large']");
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(browser.text()).contains("≥ ").doesNotContain("other-0"));

        open("/errors");
        queues().keySet().forEach(queue -> sees("the host of " + queue + " timed out"));
    }

    @Test
    void whatWasConfirmedIsAllThatIsDoneAlthoughTheCountGrowsMeanwhile() {
        server.bury("grown", "mail", ERROR.formatted("grown"), DEAD);
        open("/runs/new?q=queue:grown%20state:dead%20error:timed");
        sees("Redrive " + DEAD);
        server.bury("grown", "post", ERROR.formatted("grown"), 5);

        browser.click("button[value=redrive]");

        sees("10 of 10");
        TestConsole.Browser other = server.signedIn(TestConsole.ADMIN);
        await().untilAsserted(() -> assertThat(other.get("/export.ndjson?q=queue:grown%20state:dead")
                        .body()
                        .lines()
                        .filter(line -> line.contains("\"id\"")))
                .hasSize(5));
    }

    /** A browser makes six connections to a server: eleven hidden tabs leave them to the one that is seen. */
    @Test
    void twelveWindowsShareAStreamAndASearchOfAllJobsFreezesNone() {
        String first = browser.window();
        List<String> windows = new ArrayList<>();
        try {
            open("");
            sees("150,000");
            while (windows.size() < WINDOWS - 1) {
                windows.add(browser.openWindow());
                open("");
                sees("150,000");
                assertThat(browser.text()).doesNotContain("No connection");
                browser.hide();
            }
            browser.goTo(first);
            server.api(TestConsole.ADMIN, "/queues/since/jobs", "{\"topic\":\"t\",\"delay\":\"PT1H\"}");
            sees("since");
            assertThat(browser.text()).doesNotContain("No connection");

            open("/search?q=order:-1");
            sees("Searching");
            browser.press("?");
            assertThat(browser.run("return document.getElementById('keys').open")
                            .asBoolean(false))
                    .as("the page answers while it searches")
                    .isTrue();
            await().atMost(Duration.ofMinutes(5))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(browser::text, seen -> seen.contains("0 found") && seen.contains("that is all"));
        } finally {
            for (String window : windows) {
                browser.goTo(window);
                browser.closeWindow(first);
            }
        }
    }
}

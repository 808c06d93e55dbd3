package io.delayjob.server.console;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.redisson.history.Counts;
import io.delayjob.redisson.history.HistoryStore;
import io.delayjob.redisson.history.HistoryStore.Slot;
import io.delayjob.redisson.history.Span;
import io.delayjob.server.console.TestConsole.Browser;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.RealRedis;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The history shown on the overview, which is recorded whether or not anybody has the page open. */
@RealRedis
class HistoryIT {

    private static final Pattern PEAKS =
            Pattern.compile("per minute.*?completed, peak ([0-9.,]+)<.*?failed, peak ([0-9.,]+)<", Pattern.DOTALL);

    private static Counts counted(TestConsole console, String queue) {
        return console.bean(HistoryStore.class).read(List.of(queue), Map.of()).join().slots().stream()
                .filter(slot -> slot.span() == Span.DAY)
                .map(Slot::counts)
                .reduce(Counts.NONE, Counts::plus);
    }

    private static String tile(String page, String label) {
        Matcher tile = Pattern.compile("<b>([^<]*)</b><span>" + Pattern.quote(label) + "</span>")
                .matcher(page);
        assertThat(tile.find()).as(label).isTrue();
        return tile.group(1);
    }

    @Test
    void attemptsOfWorkersElsewhereAreCountedByWhicheverServerHearsOfThem() {
        String prefix = "delayjob.key-prefix=history-of-two";
        try (OwnRedis redis = OwnRedis.start();
                TestConsole one = TestConsole.startOn(redis.url(), TestConsole.Kind.NETTY, prefix);
                TestConsole other = TestConsole.startOn(redis.url(), TestConsole.Kind.TOMCAT, prefix)) {
            other.settle(one.claim("mail"), "complete");
            one.settle(other.claim("mail"), "retry");
            one.settle(one.claim("mail"), "bury");

            await().untilAsserted(() -> {
                Counts counts = counted(one, "mail");
                assertThat(counts.completed()).isEqualTo(1);
                assertThat(counts.failed()).isEqualTo(1);
                assertThat(counts.died()).isEqualTo(1);
                assertThat(counts.began()).isEqualTo(3);
            });
            Browser admin = other.signedIn(TestConsole.ADMIN);
            await().untilAsserted(() -> {
                String page = admin.get("").body();
                assertThat(tile(page, "completed / s")).isNotEqualTo("0");
                assertThat(page).contains("mail: 1 died within the last hour");
            });
        }
    }

    @Tag("proof")
    @Test
    void aRestartOfEverythingForgetsNothing() throws Exception {
        String prefix = "delayjob.key-prefix=history-restarted";
        try (OwnRedis redis = OwnRedis.start("--appendonly", "yes", "--appendfsync", "always")) {
            try (TestConsole before = TestConsole.startOn(redis.url(), TestConsole.Kind.NETTY, prefix)) {
                before.bury("mail", "send", "no", 30);
                before.settle(before.claim("mail"), "complete");
            }
            redis.kill();
            redis.restart();
            try (TestConsole after = TestConsole.startOn(redis.url(), TestConsole.Kind.NETTY, prefix)) {
                assertThat(counted(after, "mail").died()).isEqualTo(30);
                Browser admin = after.signedIn(TestConsole.ADMIN);
                await().untilAsserted(
                                () -> assertThat(admin.get("").body()).contains("mail: 30 died within the last hour"));
                await().atMost(180, SECONDS).untilAsserted(() -> {
                    Matcher peaks = PEAKS.matcher(admin.get("").body());
                    assertThat(peaks.find()).isTrue();
                    assertThat(peaks.group(1)).isNotEqualTo("0");
                    assertThat(peaks.group(2)).isNotEqualTo("0");
                });
            }
        }
    }

    @Test
    void aTokenForSomeQueuesSeesTheHistoryOfTheseAlone() {
        try (TestConsole console = TestConsole.start(TestConsole.Kind.NETTY)) {
            console.bury("secret", "send", "no", 3);
            console.settle(console.claim("mine"), "complete");
            await().until(() -> counted(console, "secret").died() == 3
                    && counted(console, "mine").completed() == 1);

            Browser admin = console.signedIn(TestConsole.ADMIN);
            Browser mine = console.signedIn(console.token("mine", "\"read\"", "\"mine\""));

            // A look may be two seconds old.
            await().untilAsserted(() ->
                    assertThat(tile(admin.get("").body(), "failed / s")).isNotEqualTo("0"));
            for (String path : List.of("", "?queue=secret", "?last=24h")) {
                String page = mine.get(path).body();
                assertThat(tile(page, "failed / s")).isEqualTo("0");
                assertThat(page).doesNotContain("/queues/secret?state=DEAD", "secret: 3");
            }
            assertThat(tile(mine.get("").body(), "completed / s")).isNotEqualTo("0");
            assertThat(tile(mine.get("?queue=secret").body(), "completed / s")).isEqualTo("0");
        }
    }

    @Test
    void oneQueueAndALongerTimeCanBeChosen() {
        try (TestConsole console = TestConsole.start(TestConsole.Kind.NETTY)) {
            console.settle(console.claim("mail"), "complete");
            console.settle(console.claim("sms"), "complete");
            await().until(() -> counted(console, "sms").completed() == 1);
            Browser admin = console.signedIn(TestConsole.ADMIN);

            String page = admin.get("?queue=mail&last=24h").body();
            assertThat(page)
                    .contains("data-stream=\"/console/live?", "&amp;last=24h&amp;queue=mail#en,", "−1 h<")
                    .doesNotContain("/queues/sms");

            HttpResponse<String> refused = admin.get("?last=9%3Cb");
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body())
                    .contains("last must be one of 4h, 24h: &#39;9&lt;b&#39;")
                    .doesNotContain("9<b");
        }
    }
}

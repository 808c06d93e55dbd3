package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.console.TestConsole.Browser;
import io.delayjob.testing.RealRedis;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The console beside more queues than it looks at for an overview. */
@RealRedis
class ManyQueuesIT {

    private static final int LOOKED_AT = 200;
    private static final Pattern NEXT = Pattern.compile("hx-get=\"/console(/search/part[^\"]*)\"");

    @Test
    void searchesExportsAndRunsAreAboutAllQueues() {
        try (TestConsole server = TestConsole.start(TestConsole.Kind.NETTY)) {
            for (int i = 0; i < LOOKED_AT; i++) {
                submit(server, "many-%03d".formatted(i), "common");
            }
            submit(server, "the-last", "rare");
            Browser admin = server.signedIn(TestConsole.ADMIN);

            assertThat(wholeSearch(admin, "/search?q=topic:rare")).contains("of at least", "id-of-rare");
            assertThat(admin.get("/export.ndjson?q=topic:rare").body()).contains("id-of-rare", "\"complete\":true");
            // The page stops looking after a while, also before the last queue.
            await().untilAsserted(() ->
                    assertThat(admin.get("/runs/new?q=topic:rare").body()).contains("id-of-rare", "201 queues"));
            for (String page : new String[] {"/errors", "/nodes", "/schedule"}) {
                assertThat(admin.get(page).body()).as(page).contains("Further queues, which are not looked at here: 1");
            }
            assertThat(admin.get("/schedule?queue=the-last").body())
                    .contains("/queues/the-last?state=DELAYED")
                    .doesNotContain("not looked at here");
        }
    }

    /** The page of a search, with all parts that it asks for. */
    private static String wholeSearch(Browser admin, String path) {
        String page = admin.get(path).body();
        Matcher next = NEXT.matcher(page);
        return next.find() ? page + wholeSearch(admin, next.group(1).replace("&amp;", "&")) : page;
    }

    private static void submit(TestConsole server, String queue, String topic) {
        server.api(
                TestConsole.ADMIN,
                "/queues/" + queue + "/jobs",
                "{\"id\":\"id-of-%1$s\",\"topic\":\"%1$s\",\"delay\":\"PT10M\"}".formatted(topic));
    }
}

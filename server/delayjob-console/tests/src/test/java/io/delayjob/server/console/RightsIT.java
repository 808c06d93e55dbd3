package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobSchedules;
import io.delayjob.Schedule;
import io.delayjob.embedded.RedisCall;
import io.delayjob.server.console.TestConsole.Browser;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server with the console needs of Redis what docs/security.md says, which is read out of it. */
@Tag("proof")
@RealRedis
class RightsIT {

    private static final Path DOCUMENT = Path.of("../../../docs/security.md");

    /** Redisson tries once to see what the server can do, and a node whether it may ask what Redis saves. */
    private static final List<String> MAY_BE_DENIED = List.of("test1", "config|get", "config");

    private static List<String> rights() throws IOException {
        String text = Files.readString(DOCUMENT);
        String node = text.lines()
                .filter(line -> line.startsWith("ACL SETUSER delayjob "))
                .findFirst()
                .orElseThrow();
        Matcher more = Pattern.compile("servers need besides: `([^`]+)`").matcher(text);
        assertThat(more.find()).isTrue();
        // The keys of a test have a prefix of their own.
        List<String> words = new ArrayList<>(Stream.of(node.split("\\s+"))
                .map(word -> word.startsWith("~") ? "~*" : word.startsWith("&") ? "&*" : word)
                .distinct()
                .toList());
        words.addAll(List.of(more.group(1).split("\\s+")));
        return words;
    }

    private static List<String> denied(OwnRedis redis) throws IOException {
        List<String> log = RedisCall.call(redis.url(), "ACL", "LOG").lines().toList();
        return IntStream.range(1, log.size())
                .filter(i -> log.get(i - 1).equals("object"))
                .mapToObj(log::get)
                .filter(what -> !MAY_BE_DENIED.contains(what))
                .toList();
    }

    @Test
    void theDocumentedRightsAreEnough() throws Exception {
        try (OwnRedis redis = OwnRedis.start()) {
            RedisCall.call(redis.url(), rights().toArray(String[]::new));
            try (TestConsole server =
                    TestConsole.startOn(redis.url().replace("://", "://delayjob:secret@"), TestConsole.Kind.NETTY)) {
                Browser admin = server.signedIn(TestConsole.ADMIN);
                server.bury("q", "t", "java.io.IOException: x", 3);
                server.api(TestConsole.ADMIN, "/queues/q/jobs", "{\"id\":\"w\",\"topic\":\"t\",\"delay\":\"PT1H\"}");
                String errors = admin.get("/errors").body();
                String fault = errors.replaceAll("(?s).*?name=\"fault\" value=\"([0-9a-f]+)\".*", "$1");
                admin.post("/errors/resolve", "queue", "q", "fault", fault);
                admin.post("/errors/reopen", "queue", "q", "fault", fault);
                String run = admin.post(
                                "/runs",
                                "q",
                                "queue:q state:delayed",
                                "action",
                                "run-now",
                                "perSecond",
                                "10",
                                "expected-run-now",
                                "1")
                        .headers()
                        .firstValue("Location")
                        .orElseThrow()
                        .substring("/console".length());
                await().until(() -> admin.get(run).body().contains(">done<"));
                admin.post(run + "/undo");
                admin.post("/tokens", "name", "n", "role", "read");
                admin.post("/tokens/rotate", "name", "n", "keep", "1h");
                admin.post("/tokens/revoke", "name", "n");
                admin.post("/targets/bind", "topic", "hooks", "target", "https://example.com/hook");
                admin.post("/targets/unbind", "topic", "hooks");
                server.bean(DelayJobSchedules.class)
                        .put(Schedule.every("hourly", "t", Duration.ofHours(1)).withQueue("q"));
                admin.post("/recurring/trigger", "name", "hourly");
                admin.post(
                        "/recurring/backfill",
                        "name",
                        "hourly",
                        "from",
                        "2024-01-01T00:00:00Z",
                        "to",
                        "2024-01-02T00:00:00Z",
                        "perSecond",
                        "1000",
                        "instants",
                        "24");
                admin.post("/recurring/pause", "name", "hourly");
                admin.post("/recurring/resume", "name", "hourly");
                Stream.of(
                                "",
                                "/runs",
                                "/errors",
                                "/errors/group?queue=q&fault=0123456789abcdef",
                                "/audit",
                                "/targets",
                                "/tokens",
                                "/nodes",
                                "/schedule",
                                "/recurring",
                                "/recurring/schedule?name=hourly",
                                "/recurring/backfilling?name=hourly&perSecond=1&from=2024-01-01T00:00:00Z&to=2024-01-02T00:00:00Z",
                                "/queues/q")
                        .forEach(page -> assertThat(admin.get(page).statusCode())
                                .as(page)
                                .isEqualTo(200));
                try (Watcher watcher = Watcher.of(admin)) {
                    await().until(() -> watcher.messages() >= 3);
                }
                admin.post("/logout");

                assertThat(denied(redis)).isEmpty();
            }
        }
    }
}

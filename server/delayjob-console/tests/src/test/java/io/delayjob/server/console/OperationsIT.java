package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobSchedules;
import io.delayjob.Schedule;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.delayjob.delivery.spi.Transport;
import io.delayjob.server.console.TestConsole.Browser;
import io.delayjob.testing.RealRedis;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tasks of operators at night: deciding about groups of errors, acting on many jobs and undoing it, exporting, and looking ahead. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class OperationsIT {

    private static final String EVIL = "<img src=x onerror=alert(1)>";

    private TestConsole server;
    private Browser admin;

    @BeforeAll
    void start() {
        server = TestConsole.startWith(
                Pigeons.class, TestConsole.Kind.NETTY, "delayjob.delivery.topics.left.target=pigeon:left");
        admin = server.signedIn(TestConsole.ADMIN);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** Targets of which one rests, and one is refused once it is bound, while that is wished. */
    static class Pigeons implements Transport {

        private volatile boolean refusing;
        private final AtomicBoolean bound = new AtomicBoolean();

        @Override
        public Set<String> schemes() {
            return Set.of("pigeon");
        }

        @Override
        public void check(Binding binding) {
            if (refusing && binding.target().equals("pigeon:lost") && !bound.compareAndSet(false, true)) {
                throw new IllegalArgumentException("no pigeon is left for " + binding.target());
            }
        }

        @Override
        public Optional<String> obstacle(Binding binding) {
            return Optional.of("it rests").filter(why -> binding.target().equals("pigeon:resting"));
        }

        @Override
        public CompletionStage<DeliveryOutcome> deliver(Binding binding, ClaimedJob job) {
            return CompletableFuture.completedFuture(new DeliveryOutcome.Delivered(null));
        }
    }

    private void submit(String queue, String job) {
        server.api(TestConsole.ADMIN, "/queues/" + queue + "/jobs", job);
    }

    private static String group(String page, String name) {
        Matcher found =
                Pattern.compile("name=\"" + name + "\" value=\"([^\"]*)\"").matcher(page);
        return found.find() ? found.group(1) : "";
    }

    private String begin(String q, String action, String... more) {
        return begin(100, q, action, more);
    }

    /** Begins a run on as many jobs as somebody was told of. */
    private String begin(int told, String q, String action, String... more) {
        String expected = "expected-" + action.replace("all-", "");
        List<String> fields =
                new ArrayList<>(List.of("q", q, "action", action, "perSecond", "1000", expected, String.valueOf(told)));
        fields.addAll(List.of(more));
        HttpResponse<String> begun = admin.post("/runs", fields.toArray(String[]::new));
        assertThat(begun.statusCode()).as(begun.body()).isEqualTo(303);
        return begun.headers().firstValue("Location").orElseThrow().substring("/console".length());
    }

    private String done(String run) {
        return await().until(() -> admin.get(run + "/progress").body(), body -> body.contains(">done<"));
    }

    @Test
    void aGroupHasAPageWithItsOwnJobsAlone() {
        server.bury("paged", "mail", "java.lang.IllegalStateException: no\n\tat shop.A.b(A.java:1)", 60);
        server.bury("paged", "bill", "java.lang.IllegalStateException: no\n\tat shop.A.b(A.java:1)", 2);
        server.bury("paged", "ship", "card 17 was declined", 1);
        String errors = admin.get("/errors?queue=paged").body();
        String link = errors.replaceAll("(?s).*?href=\"/console(/errors/group[^\"]+)\".*", "$1")
                .replace("&amp;", "&");

        String page = admin.get(link).body();

        assertThat(page)
                .contains("IllegalStateException", "shop.A.b(A.java:1)", "<b>62</b>", "<b>60</b>", "the 50 latest")
                .contains("died, peak 62", "data-name=\"died\"", "Latest error", "Redrive …")
                .contains("id=paged-bill-1")
                .doesNotContain("declined", "paged-ship");
        assertThat(page.split("<tr data-row>", -1)).hasSize(51);
        assertThat(page).containsPattern("(?s)Failed on.*~claims</span> <b>62</b>");
        String onNode = page.replaceAll("(?s).*?href=\"/console/search\\?q=([^\"]*node[^\"]*)\".*", "$1");
        assertThat(admin.search(onNode, "paged-mail-")).doesNotContain("paged-ship");
        assertThat(admin.get("/job?queue=paged&id=paged-bill-1").body())
                .contains(link.replace("&", "&amp;"), "~claims");
        assertThat(admin.get("/errors/group?queue=paged&fault=0123456789abcdef").body())
                .contains("No job of this group is left");
        HttpResponse<String> refused = admin.get("/errors/group?queue=paged&fault=%3Cb");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("this is no group of errors: &#39;&lt;b&#39;");
    }

    @Test
    void actsOnTheSelectedJobsOfSeveralQueuesAsTheListShowedThem() {
        server.bury("some", "mail", "no route", 3);
        submit("more", "{\"id\":\"a/b, c\",\"topic\":\"t\",\"delay\":\"PT1H\"}");
        assertThat(admin.search("queue:some", "some-mail-2"))
                .contains("name=\"job\" form=\"picked\" value=\"some/DEAD/some-mail-2\" data-acts=\"redrive purge\"");

        HttpResponse<String> done =
                select("/search?q=mail&notice=paused", "redrive", "some/DEAD/some-mail-0", "some/DEAD/some-mail-2");
        assertThat(done.headers().firstValue("Location"))
                .contains("/console/search?q=mail&notice=selected&count=2&count=0");
        assertThat(states("some")).containsExactly("READY", "DEAD", "READY");
        assertThat(admin.get("/search?q=mail&notice=selected&count=2&count=0").body())
                .contains("2 done.<");
        assertThat(admin.get("/search?q=mail&notice=selected-some&count=x&count=1")
                        .body())
                .contains("0 done. 1 skipped: their state does not allow it.");

        String cancelled = select(
                        "/", "cancel", "some/DEAD/some-mail-0", "some/READY/some-mail-2", "more/DELAYED/a/b, c")
                .headers()
                .firstValue("Location")
                .orElseThrow();
        assertThat(cancelled).endsWith("?notice=selected-some&count=2&count=1");
        assertThat(states("some"))
                .as("a job that the list showed as dead is not cancelled")
                .containsExactly("READY", "DEAD", "CANCELLED");
        assertThat(admin.get("/audit").body())
                .contains("some-mail-0, some-mail-2", "done: 2, skipped: 0", "a/b, c", "done: 1, skipped: 0");
    }

    @Test
    void refusesASelectionBeforeItDoesAnything() {
        server.bury("picked", "mail", "no route", 1);
        Browser one = server.signedIn(server.token("picks", "\"operate\", \"read\"", "\"picked\""));

        HttpResponse<String> others =
                one.post("/jobs", "action", "redrive", "job", "picked/DEAD/picked-mail-0", "job", "unpicked/DEAD/x");
        assertThat(others.statusCode()).isEqualTo(404);
        assertThat(states("picked")).contains("DEAD");
        assertThat(admin.get("/audit?unchanged=true").body()).contains("picked, unpicked");
        assertThat(refusal("redrive")).contains("select 1 to 100 jobs; 0 are selected");
        assertThat(refusal("redrive", "picked-mail-0"))
                .contains("a selected job is written queue/state/id: &#39;picked-mail-0&#39;");
        assertThat(refusal("destroy", "picked/DEAD/picked-mail-0"))
                .contains("action must be one of [cancel, reschedule, run-now, redrive, purge]: &#39;destroy&#39;");
        assertThat(refusal("reschedule", "picked/DELAYED/x")).contains("delay is missing");
    }

    private String refusal(String action, String... jobs) {
        HttpResponse<String> refused = select("/", action, jobs);
        assertThat(refused.statusCode()).isEqualTo(400);
        return refused.body();
    }

    private HttpResponse<String> select(String to, String action, String... jobs) {
        List<String> fields = new ArrayList<>(List.of("to", to, "action", action));
        Stream.of(jobs).forEach(job -> fields.addAll(List.of("job", job)));
        return admin.post("/jobs", fields.toArray(String[]::new));
    }

    /** The states of the jobs that were buried in a queue; a job that is not kept was cancelled. */
    private List<String> states(String queue) {
        DelayJobAdmin jobs = server.bean(DelayJobAdmin.class);
        return Stream.of(0, 1, 2)
                .map(number -> queue + "-mail-" + number)
                .map(id -> jobs.find(queue, id).map(job -> job.state().name()).orElse("CANCELLED"))
                .toList();
    }

    @Test
    void aResolvedGroupComesBackWithItsNextFailureAndAnIgnoredOneDoesNot() {
        server.bury("back", "mail", "java.lang.IllegalStateException: no\n\tat shop.A.b(A.java:1)", 2);
        String open = admin.get("/errors?queue=back").body();
        String fault = group(open, "fault");
        String died = group(open, "died");

        assertThat(admin.post("/errors/resolve", "queue", "back", "fault", fault, "died", died)
                        .statusCode())
                .isEqualTo(303);
        assertThat(admin.get("/errors?queue=back").body()).doesNotContain("IllegalStateException");
        assertThat(admin.get("/errors?queue=back&show=resolved").body())
                .contains("IllegalStateException", "resolved by token &#39;admin&#39;");

        server.bury("back", "bill", "java.lang.IllegalStateException: no\n\tat shop.A.b(A.java:1)", 1);
        assertThat(admin.get("/errors?queue=back").body()).contains("IllegalStateException", "came back");

        admin.post(
                "/errors/ignore",
                "queue",
                "back",
                "fault",
                fault,
                "what",
                group(open, "what"),
                "place",
                group(open, "place"),
                "died",
                died);
        server.bury("back", "post", "java.lang.IllegalStateException: no\n\tat shop.A.b(A.java:1)", 1);
        assertThat(admin.get("/errors?queue=back").body()).doesNotContain("IllegalStateException");
        assertThat(admin.get("/errors?queue=back&show=ignored").body()).contains("IllegalStateException");

        admin.post("/errors/reopen", "queue", "back", "fault", fault, "what", "something else", "place", "");
        assertThat(admin.get("/errors?queue=back").body()).contains("IllegalStateException");
        assertThat(admin.get("/audit").body())
                .contains("resolve-errors", "ignore-errors", "reopen-errors", "OPEN", "RESOLVED by")
                .contains(">" + fault + "<", ">java.lang.IllegalStateException shop.A.b(A.java:1)<")
                .doesNotContain("something else");
    }

    @Test
    void whoResolvesWhatSomebodyElseHasAlreadySeenFailAgainDoesNotHideIt() {
        server.bury("two", "mail", "java.io.IOException: x\n\tat shop.A.b(A.java:1)", 1);
        String seen = admin.get("/errors?queue=two").body();
        server.bury("two", "bill", "java.io.IOException: x\n\tat shop.A.b(A.java:1)", 1);

        admin.post("/errors/resolve", "queue", "two", "fault", group(seen, "fault"), "died", group(seen, "died"));

        assertThat(admin.get("/errors?queue=two").body()).contains("IOException", "came back");
    }

    @Test
    void aGroupWhoseJobsAreAllRetriedIsShown() {
        server.bury("retried", "mail", "java.io.IOException: again\n\tat shop.A.b(A.java:1)", 2);
        done(begin("queue:retried state:dead", "redrive"));

        HttpResponse<String> page = admin.get("/errors?queue=retried");

        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        assertThat(page.body()).contains("IOException");
        assertThat(admin.get("/errors").statusCode()).isEqualTo(200);
    }

    /** Two users who act on the jobs of one queue at the same time, each with a sign-in of their own. */
    private final class Two {

        private final Browser ann;
        private final Browser bob;
        private final String queue;
        private final String fault;

        Two(String queue) {
            this.queue = queue;
            server.bury(queue, "mail", "java.io.IOException: x\n\tat shop.A.b(A.java:1)", 60);
            ann = someone("ann-" + queue);
            bob = someone("bob-" + queue);
            fault = group(ann.get("/errors?queue=" + queue).body(), "fault");
        }

        private Browser someone(String name) {
            return server.signedIn(server.token(name, "\"operate\",\"read\"", "\"" + queue + "\""));
        }

        /** Starts a run; the result gives the counts shown to the user who started it: jobs done, skipped, and gone before. */
        Counted begin(Browser who, String action) {
            HttpResponse<String> begun = who.post(
                    "/runs",
                    "q",
                    "queue:" + queue + " state:dead",
                    "fault",
                    fault,
                    "action",
                    action,
                    "perSecond",
                    "100",
                    "expected-" + action,
                    "60");
            assertThat(begun.statusCode()).as(begun.body()).isEqualTo(303);
            return new Counted(
                    who, begun.headers().firstValue("Location").orElseThrow().substring("/console".length()));
        }

        List<String> audit() {
            return Stream.of(admin.get("/audit").body().split("<tr", -1))
                    .filter(row -> row.contains(queue))
                    .map(row -> row.replaceAll("<[^>]*>", " ").replaceAll("\\s+", " "))
                    .toList();
        }
    }

    private record Counted(Browser who, String run) {

        private static final Pattern SHOWN = Pattern.compile(
                "(?s)<b>(\\d+)</b>.*?· (\\d+) skipped(?:.*?>(\\d+) of those that were counted before)?");

        /** Done, skipped and gone, once the run has ended. */
        List<Integer> numbers() {
            String page = await().until(() -> who.get(run + "/progress").body(), body -> body.contains(">done<"));
            Matcher shown = SHOWN.matcher(page);
            assertThat(shown.find()).as(page).isTrue();
            return Stream.of(1, 2, 3)
                    .map(group -> shown.group(group) == null ? 0 : Integer.parseInt(shown.group(group)))
                    .toList();
        }

        int done() {
            return numbers().get(0);
        }
    }

    private long found(String q) {
        return admin.get("/export.ndjson?q=" + q).body().lines().count() - 1;
    }

    @Test
    void twoPeopleWhoRedriveTheSameGroupRedriveEachJobOnceAndAreToldTheirShares() {
        Two two = new Two("shared");

        Counted ann = two.begin(two.ann, "redrive");
        Counted bob = two.begin(two.bob, "redrive");

        assertThat(ann.done() + bob.done()).isEqualTo(60);
        assertThat(Stream.of(ann, bob)
                        .map(one -> one.numbers().stream()
                                .mapToInt(Integer::intValue)
                                .sum()))
                .as("each is told where all 60 are")
                .containsExactly(60, 60);
        assertThat(found("queue:shared%20state:ready")).isEqualTo(60);
        await().untilAsserted(() -> assertThat(two.audit())
                .anySatisfy(row -> assertThat(row).contains("ann-shared", "begin-redrive", "60 at 100/s"))
                .anySatisfy(row -> assertThat(row).contains("bob-shared", "begin-redrive", "60 at 100/s"))
                .anySatisfy(row -> assertThat(row).contains("ann-shared", "run-redrive", "done: " + ann.done()))
                .anySatisfy(row -> assertThat(row).contains("bob-shared", "run-redrive", "done: " + bob.done())));
    }

    @Test
    void whatOneRedrivesTheOtherDoesNotDelete() {
        Two two = new Two("contested");

        Counted ann = two.begin(two.ann, "redrive");
        Counted bob = two.begin(two.bob, "purge");

        assertThat(ann.done() + bob.done()).isEqualTo(60);
        assertThat(found("queue:contested%20state:ready")).isEqualTo(ann.done());
        assertThat(found("queue:contested%20state:dead")).isZero();
        await().untilAsserted(() -> assertThat(two.audit())
                .anySatisfy(row -> assertThat(row).contains("ann-contested", "run-redrive", "done: " + ann.done()))
                .anySatisfy(row -> assertThat(row).contains("bob-contested", "run-purge", "done: " + bob.done())));
    }

    @Test
    void whoComesWhenSomebodyElseHasDoneItIsToldSo() {
        Two two = new Two("late");
        assertThat(two.begin(two.ann, "redrive").numbers()).containsExactly(60, 0, 0);

        Counted bob = two.begin(two.bob, "redrive");

        assertThat(bob.numbers()).containsExactly(0, 0, 60);
        await().untilAsserted(() -> assertThat(two.audit())
                .anySatisfy(row -> assertThat(row).contains("bob-late", "done: 0, skipped: 0, gone before: 60")));
        assertThat(two.bob
                        .get("/runs/new?q=queue:late%20state:dead&fault=" + two.fault)
                        .body())
                .contains("Nothing found")
                .doesNotContain("value=\"redrive\"");
    }

    @Test
    void aFailureThatArrivesWhileTwoPeopleResolveItsGroupIsNotHidden() {
        Two two = new Two("arriving");
        String seen = two.ann.get("/errors?queue=arriving").body();
        String[] asSeen = {"queue", "arriving", "fault", two.fault, "died", group(seen, "died")};

        assertThat(two.ann.post("/errors/resolve", asSeen).statusCode()).isEqualTo(303);
        server.bury("arriving", "bill", "java.io.IOException: x\n\tat shop.A.b(A.java:1)", 1);
        assertThat(two.bob.post("/errors/resolve", asSeen).statusCode()).isEqualTo(303);

        assertThat(two.ann.get("/errors?queue=arriving").body()).contains("came back", "resolved by token &#39;bob-");
        assertThat(two.audit())
                .anySatisfy(row -> assertThat(row).contains("ann-arriving", "resolve-errors", "OPEN → RESOLVED"))
                .anySatisfy(row -> assertThat(row)
                        .contains(
                                "bob-arriving",
                                "resolve-errors",
                                "RESOLVED by token &#39;ann-arriving&#39; → RESOLVED"));
    }

    /** A user with an outdated page acts on a job that has ended: the answer says so, and nothing else happens. */
    @Test
    void aJobThatEndsWhileItIsLookedAtCannotBeActedOnAnyMore() {
        submit("ends", "{\"id\":\"e\",\"topic\":\"t\",\"delay\":\"PT0S\"}");
        assertThat(admin.get("/job?queue=ends&id=e").body()).contains("/job/cancel\"", "/job/run-now\"");
        String handle = server.api(TestConsole.ADMIN, "/queues/ends/claims", "{\"max\":1,\"wait\":\"PT60S\"}")
                .path("jobs")
                .path(0)
                .path("handle")
                .asString("");
        server.settle(handle, "complete");

        for (String action : List.of("cancel", "run-now", "reschedule")) {
            HttpResponse<String> answer =
                    TestConsole.send(admin.form("/job/" + action, "queue", "ends", "id", "e", "delay", "1h")
                            .header("Sec-Fetch-Site", "same-origin")
                            .header("Referer", server.url() + "/console/job?queue=ends&id=e"));
            assertThat(answer.statusCode()).as(action).isEqualTo(404);
            assertThat(answer.body())
                    .as(action)
                    .contains("has ended and is not kept", "href=\"/console/job?queue=ends&amp;id=e\">Back");
            assertThat(answer.headers().firstValue("HX-Push-Url")).hasValue("false");
        }
        assertThat(admin.get("/job?queue=ends&id=e").body()).contains("never submitted there, or has finished");
    }

    @Test
    void aJobThatIsDeletedWhileItIsLookedAtIsSaidToBeGone() {
        server.bury("deleted", "mail", "no", 1);
        assertThat(admin.get("/job?queue=deleted&id=deleted-mail-0").body()).contains("/job/redrive\"");

        admin.post("/queues/deleted/purge", "olderThan", "0s", "most", "1");

        assertThat(admin.post("/job/redrive", "queue", "deleted", "id", "deleted-mail-0")
                        .statusCode())
                .isEqualTo(404);
        assertThat(admin.get("/job?queue=deleted&id=deleted-mail-0").body())
                .contains("never submitted there, or has finished")
                .doesNotContain("/job/redrive\"");
        assertThat(admin.get("/queues/deleted?state=DEAD").body()).doesNotContain("deleted-mail-0");
    }

    @Test
    void purgesAGroupAndNothingElse() {
        server.bury("purged", "mail", "java.io.IOException: x\n\tat shop.A.b(A.java:1)", 12);
        server.bury("purged", "bill", "card declined", 2);
        String fault = group(admin.get("/errors?queue=purged").body().replaceFirst("(?s).*?IOException", ""), "fault");

        String page = done(begin("queue:purged state:dead", "purge", "fault", fault));

        assertThat(page).contains("<b>12</b>");
        assertThat(admin.get("/queues/purged?state=DEAD").body())
                .contains("purged-bill-0", "purged-bill-1")
                .doesNotContain("purged-mail-");
        assertThat(admin.post("/job/purge", "queue", "purged", "id", "purged-bill-0")
                        .statusCode())
                .isEqualTo(303);
        assertThat(admin.post("/job/purge", "queue", "purged", "id", "purged-bill-0")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void actsOnAnyFilterAndSaysWhatIsSkipped() {
        server.bury("any-a", "mixed", "no", 3);
        submit("any-b", "{\"id\":\"any-b-waits\",\"topic\":\"mixed\",\"delay\":\"PT1H\"}");

        String preview =
                await().until(() -> admin.get("/runs/new?q=topic:mixed").body(), body -> body.contains("4 jobs"));

        assertThat(preview)
                .contains("Redrive 3", "1 are skipped: they are not dead", "Cancel 1", "any-b-waits")
                .contains("Cannot be undone", "Can be undone");
        done(begin("topic:mixed", "cancel"));
        assertThat(admin.get("/queues/any-b?state=DELAYED").body()).doesNotContain("any-b-waits");
        assertThat(admin.get("/queues/any-a?state=DEAD").body()).contains("any-a-mixed-0");
    }

    @Test
    void actsOnNoMoreJobsThanWereConfirmed() {
        server.bury("counted", "mail", "no", 3);
        String page = admin.get("/runs/new?q=queue:counted%20state:dead").body();
        assertThat(page)
                .contains("data-confirm=\"Delete 3 dead jobs of queue counted for good? This cannot be undone.\"")
                .doesNotContain("value=\"all-purge\"");
        server.bury("counted", "late", "no", 4);

        String run = begin(3, "queue:counted state:dead", "purge");

        assertThat(done(run)).contains("<b>3</b>", "of 3 done");
        assertThat(dead("counted")).isEqualTo(4);
        done(begin(3, "queue:counted state:dead", "all-purge"));
        assertThat(dead("counted")).isZero();
    }

    private long dead(String queue) {
        return admin.get("/export.ndjson?q=queue:" + queue + "%20state:dead")
                .body()
                .lines()
                .filter(line -> line.contains("\"id\""))
                .count();
    }

    @Test
    void undoesARescheduleForJobsThatStillWait() {
        for (int i = 0; i < 5; i++) {
            submit("undo", "{\"id\":\"u%d\",\"topic\":\"t\",\"delay\":\"PT%dH\"}".formatted(i, i + 1));
        }
        assertThat(admin.search("queue:undo%20due:2020-01-01..", "u4")).contains("u0");
        String run = begin("queue:undo state:delayed", "reschedule", "delay", "40d");
        assertThat(done(run)).contains("<b>5</b>", "/undo\"");
        assertThat(due("u1")).isAfter(Instant.now().plus(Duration.ofDays(39)));
        admin.post("/job/cancel", "queue", "undo", "id", "u0");

        HttpResponse<String> undone = admin.post(run + "/undo");
        String undoing = undone.headers().firstValue("Location").orElseThrow().substring("/console".length());

        assertThat(done(undoing)).contains("<b>4</b>", "1 skipped");
        assertThat(due("u1"))
                .isBetween(
                        Instant.now().plus(Duration.ofMinutes(118)),
                        Instant.now().plus(Duration.ofMinutes(121)));
        assertThat(admin.post(undoing + "/undo").statusCode()).isEqualTo(400);
    }

    private Instant due(String id) {
        Matcher found = Pattern.compile("datetime=\"([^\"]+)\"")
                .matcher(admin.get("/job?queue=undo&id=" + id).body().replaceAll("(?s).*Due</span>", ""));
        assertThat(found.find()).isTrue();
        return Instant.parse(found.group(1));
    }

    @Test
    void exportsWhatIsFoundWithoutSecretsAndWithEveryDigit() {
        submit(
                "out",
                "{\"id\":\"=cmd()\",\"topic\":\"a,b\",\"delay\":\"PT1H\",\"param\":{\"n\":12345678901234567890123,\"password\":\"hunter2\",\"q\":\"say \\\"hi\\\"\"}}");

        HttpResponse<String> csv = admin.get("/export.csv?q=queue:out");
        assertThat(csv.headers().firstValue("Content-Type").orElse("")).startsWith("text/csv");
        assertThat(csv.headers().firstValue("Content-Disposition").orElse("")).contains("jobs.csv");
        assertThat(csv.body())
                .startsWith("queue,id,topic,state")
                .contains("out,'=cmd(),\"a,b\",DELAYED", "12345678901234567890123", "•••")
                .doesNotContain("hunter2")
                .endsWith("\"# 1 jobs, 1 looked at; complete\"\r\n");

        HttpResponse<String> lines = admin.get("/export.ndjson?q=queue:out");
        assertThat(lines.body().lines())
                .hasSize(2)
                .anySatisfy(line -> assertThat(line)
                        .contains("\"id\":\"=cmd()\"", "\"n\":12345678901234567890123", "•••")
                        .doesNotContain("hunter2"))
                .anySatisfy(line -> assertThat(line).contains("\"end\"", "\"complete\":true"));
        assertThat(admin.get("/export.csv?q=state:rotten").statusCode()).isEqualTo(400);
        Browser others = server.signedIn(server.token("out-others", "\"read\"", "\"other\""));
        assertThat(others.get("/export.csv?q=queue:out").statusCode()).isEqualTo(404);
        assertThat(admin.get("/audit?unchanged=true").body()).contains("export", "1 jobs as csv");
    }

    @Test
    void exportsManyPagesOfJobs() {
        StringBuilder jobs = new StringBuilder();
        for (int batch = 0; batch < 3; batch++) {
            jobs.setLength(0);
            for (int i = 0; i < 1000; i++) {
                jobs.append(i == 0 ? "" : ",").append("{\"topic\":\"t\",\"delay\":\"PT1H\"}");
            }
            server.api(TestConsole.ADMIN, "/queues/pages/jobs/batch", "{\"jobs\":[" + jobs + "]}");
        }

        assertThat(admin.get("/export.ndjson?q=queue:pages").body().lines()).hasSize(3001);
    }

    @Test
    void showsWhatIsToComeAndWhatRuns() {
        submit("coming", "{\"id\":\"soon\",\"topic\":\"t\",\"delay\":\"PT10M\"}");
        submit("coming", "{\"id\":\"later\",\"topic\":\"t\",\"delay\":\"P20D\"}");
        submit("held", "{\"id\":\"%s\",\"topic\":\"t\",\"delay\":\"PT0S\"}".formatted(EVIL));
        server.api(
                TestConsole.ADMIN,
                "/queues/held/claims",
                "{\"max\":1,\"wait\":\"PT60S\",\"lease\":\"PT10M\",\"worker\":\"%s\"}".formatted("w-7"));

        String hour = await().until(() -> admin.get("/schedule").body(), body -> body.contains(">coming<"));
        assertThat(hour).contains("Due per minute", "<svg");
        await().untilAsserted(() ->
                assertThat(admin.get("/schedule?next=month").body()).contains("Due per day", ">coming<"));
        assertThat(admin.get("/schedule?next=century").statusCode()).isEqualTo(400);
        String nodes = await().until(() -> admin.get("/nodes").body(), body -> body.contains("w-7"));
        assertThat(nodes).contains("&lt;img", "1 leases").doesNotContain("<img src=x");
    }

    @Test
    void changesATopicAndKeepsItsSecretsUnlessTheyAreReplacedOrRemoved() {
        String secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        String target = "pigeon:signed?key=of-the-target";
        bind("signed", target, "secrets", secret, "timeout", "30s", "perSecond", "9");

        String form = admin.get("/targets?change=signed").body();
        assertThat(form)
                .contains("value=\"" + target + "\"", "value=\"PT30S\"", "value=\"9\"", "name=\"unsigned\"")
                .doesNotContain(secret);
        bind("signed", target, "calls", "3", "secrets", "");
        assertThat(binding("signed")).contains("\"calls\":3", "\"secrets\":1");

        bind("signed", target, "secrets", secret + " " + secret);
        assertThat(binding("signed")).contains("\"secrets\":2");

        bind("signed", target, "unsigned", "true");
        assertThat(binding("signed")).contains("\"secrets\":0");
        assertThat(admin.get("/targets?change=signed").body()).doesNotContain("name=\"unsigned\"");
        admin.post("/targets/unbind", "topic", "signed");
    }

    private void bind(String topic, String target, String... more) {
        List<String> fields = new ArrayList<>(List.of("topic", topic, "target", target));
        fields.addAll(List.of(more));
        HttpResponse<String> bound = admin.post("/targets/bind", fields.toArray(String[]::new));
        assertThat(bound.statusCode()).as(bound.body()).isEqualTo(303);
    }

    private String binding(String topic) {
        return server.api(TestConsole.ADMIN, "/targets/" + topic + "/resume", "")
                .toString();
    }

    @Test
    void bindsPausesAndUnbindsATopicAndSaysWhatWasChanged() {
        assertThat(admin.get("/targets").body()).contains("/targets/bind");
        HttpResponse<String> bound = admin.post(
                "/targets/bind", "topic", "hooks", "target", "https://example.com/hook?key=secret-key", "calls", "7");
        assertThat(bound.statusCode()).as(bound.body()).isEqualTo(303);
        assertThat(admin.get("/targets").body())
                .contains("hooks", "https://example.com/hook?…", ">7<")
                .doesNotContain("secret-key");

        admin.post("/targets/pause", "topic", "hooks");
        await().until(() -> admin.get("").body().contains("hooks: deliveries are paused")
                || admin.get("/targets").body().contains(">paused<"));
        admin.post("/targets/resume", "topic", "hooks");
        assertThat(admin.post("/targets/unbind", "topic", "hooks").statusCode()).isEqualTo(303);
        assertThat(admin.post("/targets/bind", "topic", "x", "target", "nowhere")
                        .statusCode())
                .isEqualTo(400);
        assertThat(admin.get("/audit").body())
                .contains("bind-target", "not bound", "pause-target", "PAUSED")
                .doesNotContain("secret-key");
    }

    @Test
    void saysOnTheOverviewWhichTargetsDoNotWork() {
        server.bean(Pigeons.class).refusing = true;
        for (String topic : List.of("resting", "lost", "stopped", "well")) {
            assertThat(admin.post("/targets/bind", "topic", topic, "target", "pigeon:" + topic)
                            .statusCode())
                    .isEqualTo(303);
        }
        admin.post("/targets/pause", "topic", "stopped");
        admin.post("/targets/unbind", "topic", "left");

        await().untilAsserted(() -> assertThat(admin.get("").body())
                .contains(
                        "resting: its target does not work now, so its jobs wait",
                        "lost: this server cannot deliver to its target",
                        "stopped: deliveries are paused",
                        "left: its topic was unbound, so its jobs wait",
                        "href=\"/console/targets\">resting")
                .doesNotContain("well: "));

        server.bean(Pigeons.class).refusing = false;
        admin.post("/targets/resume", "topic", "stopped");
        admin.post("/targets/resume", "topic", "left");
        await().untilAsserted(() -> assertThat(admin.get("").body())
                .contains("resting: its target")
                .doesNotContain("lost: this server", "stopped: deliveries", "left: its topic"));
    }

    @Test
    void showsWhenAScheduleFiresAndActsOnIt() {
        DelayJobSchedules schedules = server.bean(DelayJobSchedules.class);
        schedules.put(Schedule.cron("nightly/report 1", "report", "0 30 2 * * *")
                .withQueue("recurs")
                .withZone("Europe/Berlin"));
        String page = "/recurring/schedule?name=nightly%2Freport%201";

        assertThat(admin.get("/recurring").body())
                .contains("nightly/report 1", "0 30 2 * * *", "Europe/Berlin", ">fires<", page);
        assertThat(admin.get("/recurring?part=nowhere").body()).doesNotContain("nightly/report 1");
        assertThat(admin.get("/recurring?after=nightly/report%202").body()).doesNotContain("nightly/report 1");
        assertThat(admin.get(page).body()).contains(" 02:30", "skip the instant", "None yet.");

        HttpResponse<String> paused = admin.post("/recurring/pause", "name", "nightly/report 1");
        assertThat(paused.headers().firstValue("Location").orElse("")).contains(page);
        assertThat(admin.get(page).body()).contains(">paused<", "/recurring/resume");
        admin.post("/recurring/resume", "name", "nightly/report 1");
        admin.post("/recurring/trigger", "name", "nightly/report 1");
        assertThat(server.bean(DelayJobAdmin.class).counts("recurs").ready()).isEqualTo(1);
        assertThat(admin.get(
                                "/recurring/backfilling?perSecond=1000&from=2024-01-01T00:00:00Z&to=2024-01-04T00:00:00Z&name="
                                        + "nightly%2Freport%201")
                        .body())
                .contains("Instants in that time: 3", "value=\"2024-01-03T01:30:00.001Z\"");
        String[] backfill = {
            "name",
            "nightly/report 1",
            "from",
            "2024-01-01T00:00:00Z",
            "to",
            "2024-01-03T01:30:00.001Z",
            "perSecond",
            "1000"
        };
        assertThat(admin.post("/recurring/backfill", with(backfill, "instants", "2"))
                        .body())
                .contains("has no longer 2 instants in that time: ask again");
        assertThat(server.bean(DelayJobAdmin.class).counts("recurs").ready()).isEqualTo(1);
        admin.post("/recurring/backfill", with(backfill, "instants", "3"));
        await().untilAsserted(() -> assertThat(
                        server.bean(DelayJobAdmin.class).counts("recurs").ready())
                .isEqualTo(4));
        server.api(TestConsole.ADMIN, "/schedules/nightly%2Freport%201/pause", "");
        admin.post("/recurring/remove", "name", "nightly/report 1");

        assertThat(admin.get(page).statusCode()).isEqualTo(404);
        assertThat(admin.get("/audit").body())
                .contains("backfill-schedule", "instants: 3, stored: 3, 2024-01-01T01:30:00Z to 2024-01-03T01:30:00Z")
                .contains("pause-schedule", "trigger-schedule", "remove-schedule", "no such schedule")
                .contains("/schedules/nightly%2Freport%201/pause")
                .contains("paused, 0 30 2 * * * Europe/Berlin, recurs");
    }

    @Test
    void actsOnTheScheduleOfTheVeryName() {
        DelayJobSchedules schedules = server.bean(DelayJobSchedules.class);
        for (String name : List.of("daily", "daily ")) {
            schedules.put(Schedule.cron(name, "report", "0 30 2 * * *").withQueue("recurs"));
        }

        admin.post("/recurring/pause", "name", "daily ");

        assertThat(admin.get("/recurring/schedule?name=daily%20").body()).contains(">paused<");
        assertThat(admin.get("/recurring/schedule?name=daily").body()).doesNotContain(">paused<");
    }

    @Test
    void redrivesTheListThatIsShown() {
        server.bury("listed", "send mail", "no", 1);

        assertThat(admin.get("/queues/listed?state=DEAD&topic=send+mail&id=listed-s")
                        .body())
                .contains(
                        "name=\"q\" value=\"queue:listed state:dead topic:&quot;send mail&quot; id:&quot;listed-s&quot;\"");
    }

    private static String[] with(String[] fields, String... more) {
        return Stream.concat(Arrays.stream(fields), Arrays.stream(more)).toArray(String[]::new);
    }

    @Test
    void showsANewTokenOnceAndRevokesIt() {
        HttpResponse<String> made =
                admin.post("/tokens", "name", "night", "role", "read", "queues", "mail, order.*", "valid", "90d");
        assertThat(made.statusCode()).isEqualTo(200);
        Matcher shown = Pattern.compile("<pre tabindex=\"0\">([^<]+)</pre>").matcher(made.body());
        assertThat(shown.find()).isTrue();
        String token = shown.group(1);
        assertThat(server.signedIn(token).get("").statusCode()).isEqualTo(200);
        assertThat(admin.get("/tokens").body())
                .contains("night", "mail, order.*")
                .doesNotContain(token);

        String rotated =
                admin.post("/tokens/rotate", "name", "night", "keep", "1h").body();
        assertThat(rotated).contains("The token night").doesNotContain(token);
        assertThat(server.signedIn(token).get("").statusCode()).isEqualTo(200);

        assertThat(admin.post("/tokens", "name", "late", "role", "read", "valid", "2920000d")
                        .statusCode())
                .isEqualTo(400);
        assertThat(admin.get("/tokens").body()).contains("night").doesNotContain("late");

        admin.post("/tokens/revoke", "name", "night");
        assertThat(admin.get("/tokens").body()).doesNotContain("night");
        assertThat(server.signedIn(server.token("reader", "\"read\"", "\"*\""))
                        .get("/tokens")
                        .statusCode())
                .isEqualTo(403);
        assertThat(admin.get("/audit").body())
                .contains("make-token", "rotate-token", "revoke-token", "read in mail, order.*")
                .doesNotContain(token);
    }

    @Test
    void aRunEndsWhenTheTokenOfWhoBeganItDoes() {
        server.bury("expired", "mail", "no", 40);
        Browser operator = server.signedIn(server.token("leaves", "\"operate\",\"read\"", "\"expired\""));
        String run = operator.post(
                        "/runs",
                        "q",
                        "queue:expired state:dead",
                        "action",
                        "redrive",
                        "perSecond",
                        "1",
                        "expected-redrive",
                        "40")
                .headers()
                .firstValue("Location")
                .orElseThrow()
                .substring("/console".length());

        admin.post("/tokens/revoke", "name", "leaves");

        await().untilAsserted(
                        () -> assertThat(admin.get(run).body()).contains("the sign-in of who began it has ended"));
    }

    @Test
    void aQueueThatVanishedAndAJobThatEndedAreSaidToBeGone() {
        assertThat(admin.get("/queues/never-there").statusCode()).isEqualTo(200);
        assertThat(admin.get("?queue=never-there").body()).contains("There is no queue never-there now");
        assertThat(admin.get("/job?queue=never-there&id=x").body()).contains("never submitted there, or has finished");
        assertThat(admin.post("/job/cancel", "queue", "never-there", "id", "x").statusCode())
                .isEqualTo(404);
        assertThat(admin.get("/runs/gone").statusCode()).isEqualTo(404);
    }
}

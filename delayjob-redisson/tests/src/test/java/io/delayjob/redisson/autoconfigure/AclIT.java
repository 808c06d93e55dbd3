package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.Dedupe;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobState;
import io.delayjob.JobSubmissionException;
import io.delayjob.SubmitResult;
import io.delayjob.embedded.RedisCall;
import io.delayjob.redisson.internal.redis.ScriptText;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

/** The lines of docs/security.md grant what delayjob needs and nothing else; they are read out of it. */
class AclIT {

    private static final Path DOCUMENT = Path.of("../../docs/security.md");
    private static final Path SCRIPTS = Path.of("../src/main/resources/io/delayjob/redisson/lua");
    private static final Pattern CALL = Pattern.compile("(?:redis\\.p?call|checked)\\('(\\w+)'");

    private static final Pattern FOR_KEYS = Pattern.compile("it also needs `(\\+[^`]+)`");

    private static final Duration SOON = Duration.ofMinutes(2);

    private final OwnRedis redis = OwnRedis.start();
    private final String queue = TestApplication.queue();

    @BeforeEach
    void createUsers() throws IOException {
        for (String user : List.of("delayjob", "producer")) {
            call(line(user).toArray(String[]::new));
        }
    }

    @AfterEach
    void close() {
        redis.close();
    }

    /** The words of the documented line that makes a user. */
    private static List<String> line(String user) throws IOException {
        String start = "ACL SETUSER " + user + " ";
        String text = Files.readString(DOCUMENT).replace("\\\n", " ");
        return text.lines()
                .filter(line -> line.startsWith(start))
                .map(line -> List.of(line.strip().split("\\s+")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no line in " + DOCUMENT + " begins with: " + start));
    }

    private static Set<String> granted(String user) throws IOException {
        return line(user).stream()
                .filter(word -> word.startsWith("+"))
                .map(word -> word.substring(1))
                .map(AclIT::command)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Redis 7 names subcommands with a bar. */
    private static String command(String name) {
        return name.replaceFirst("\\|.*", "");
    }

    private String call(String... words) throws IOException {
        return RedisCall.call(redis.url(), words);
    }

    private ConfigurableApplicationContext start(String user, String... more) {
        List<String> properties = new ArrayList<>(FullFlow.SETTINGS);
        properties.removeIf(
                setting -> Stream.of(more).anyMatch(own -> own.startsWith(setting.replaceFirst("=.*", "="))));
        properties.addAll(List.of(
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + redis.port(),
                "spring.data.redis.username=" + user,
                "spring.data.redis.password=secret",
                "delayjob.default-queue=" + queue,
                "delayjob.health.timeout=30s"));
        properties.addAll(List.of(more));
        return TestApplication.start(FullFlow.Beans.class, properties.toArray(String[]::new));
    }

    /** Commands that the server has run since its statistics were reset, except those that this test sends. */
    private Set<String> called() throws IOException {
        Set<String> asked = Set.of("info", "acl", "config");
        return call("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_"))
                .map(line -> command(line.substring("cmdstat_".length(), line.indexOf(':'))))
                .filter(name -> !asked.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Redisson tries once to see what the server can do, and a node whether it may ask what Redis saves. */
    private static final List<String> MAY_BE_DENIED = List.of("test1", "config|get", "config");

    /** Commands, keys and channels that were denied, according to the log of the ACL. */
    private List<String> denied() throws IOException {
        List<String> log = call("ACL", "LOG").lines().toList();
        return IntStream.range(1, log.size())
                .filter(i -> log.get(i - 1).equals("object"))
                .mapToObj(log::get)
                .toList();
    }

    private static Set<String> inScripts() throws IOException {
        Set<String> commands = new TreeSet<>();
        try (Stream<Path> files = Files.walk(SCRIPTS)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                commands.addAll(inText(Files.readString(file)));
            }
        }
        return commands;
    }

    private static Set<String> inText(String script) {
        return CALL.matcher(script)
                .results()
                .map(call -> call.group(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theDocumentedUserCanDoEverythingAndMayDoNothingThatIsNotNeeded() throws IOException {
        call("CONFIG", "RESETSTAT");
        try (ConfigurableApplicationContext first = start("delayjob");
                ConfigurableApplicationContext second = start("delayjob")) {
            new FullFlow(first, queue).run();
            // Each says so itself, again and again.
            await().atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(second.getBean(DelayJobAdmin.class).nodes(queue))
                                    .hasSize(2));
        }
        Set<String> needed = called();
        assertThat(denied()).isSubsetOf(MAY_BE_DENIED);
        needed.addAll(inScripts());
        // AUTH needs no permission: every client may authenticate.
        needed.remove("auth");
        assertThat(granted("delayjob")).isEqualTo(needed);
    }

    static Stream<String> patterns() throws IOException {
        return line("delayjob").stream().filter(word -> word.startsWith("~") || word.startsWith("&"));
    }

    @Tag("proof")
    @ParameterizedTest
    @MethodSource("patterns")
    void withoutOneOfItsPatternsSomethingIsDenied(String pattern) throws IOException {
        List<String> less = new ArrayList<>(line("delayjob"));
        assertThat(less.remove(pattern)).isTrue();
        call("ACL", "DELUSER", "delayjob");
        call(less.toArray(String[]::new));
        try (ConfigurableApplicationContext context = start("delayjob")) {
            submitOrBeRefused(context, "later", Duration.ofSeconds(3));
            await().atMost(SOON).until(() -> denied().stream().anyMatch(object -> !MAY_BE_DENIED.contains(object)));
        }
    }

    private static void submitOrBeRefused(ConfigurableApplicationContext context, String id, Duration delay) {
        try {
            submit(context, id, delay);
        } catch (JobSubmissionException e) {
            assertThat(e.outcome()).isEqualTo(JobSubmissionException.Outcome.NOT_STORED);
            assertThat(e).hasMessageContainingAll("'" + id + "'", "Redis refused: NOPERM ");
        }
    }

    private static void submit(ConfigurableApplicationContext context, String id, Duration delay) {
        context.getBean(DelayJobProducer.class)
                .submitDelayJob(
                        DelayJobRequest.of(FullFlow.TaskJob.class, new FullFlow.Task(""))
                                .withId(id),
                        delay);
    }

    @Test
    void aCommandThatIsForbiddenForAWhileLosesNoJob() throws IOException {
        // The lease does not end while a slow machine takes its time: that would be one more attempt.
        try (ConfigurableApplicationContext context = start("delayjob", "delayjob.lease=10s")) {
            DelayJobAdmin admin = context.getBean(DelayJobAdmin.class);
            for (String command : inScripts()) {
                call("ACL", "SETUSER", "delayjob", "-" + command);
                submitOrBeRefused(context, "during-" + command, Duration.ZERO);
                call("ACL", "SETUSER", "delayjob", "+" + command);
                submit(context, "during-" + command, Duration.ZERO);
            }
            for (String command : inScripts()) {
                await(command)
                        .atMost(SOON)
                        .until(() -> admin.find(queue, "during-" + command)
                                .filter(job -> job.state() == JobState.COMPLETED && job.attempt() <= 2)
                                .isPresent());
            }
        }
    }

    /** The commands that the document names in a sentence of its own, for submits with keys. */
    private static Set<String> grantedForKeys() throws IOException {
        Matcher sentence = FOR_KEYS.matcher(Files.readString(DOCUMENT));
        assertThat(sentence.find()).as("%s in %s", FOR_KEYS, DOCUMENT).isTrue();
        return Stream.of(sentence.group(1).split(" "))
                .map(word -> word.substring(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void aProducerWithKeysAndIdsOfItsOwnNeedsTheCommandsNamedForThat() throws IOException {
        Set<String> needed = new TreeSet<>();
        for (String script : List.of("submit+keys", "point", "revoke")) {
            needed.addAll(inText(ScriptText.of(script)));
        }
        needed.removeAll(granted("producer"));
        assertThat(grantedForKeys()).isEqualTo(needed);
        for (String command : needed) {
            call("ACL", "SETUSER", "producer", "+" + command);
        }
        try (ConfigurableApplicationContext producer =
                start("producer", "delayjob.consume=false", "delayjob.queues." + queue + ".shards=4")) {
            assertThat(submitKeyed(producer, "customer-1")).containsOnly(SubmitResult.Outcome.STORED);
            assertThat(submitKeyed(producer, "customer-2")).containsOnly(SubmitResult.Outcome.EXISTS);
            assertThat(denied()).isSubsetOf(MAY_BE_DENIED);
        }
    }

    private static List<SubmitResult.Outcome> submitKeyed(ConfigurableApplicationContext context, String key) {
        List<DelayJobRequest<FullFlow.Task>> requests = IntStream.range(0, 20)
                .mapToObj(i -> DelayJobRequest.of(FullFlow.TaskJob.class, new FullFlow.Task(""))
                        .withId("mine-" + i)
                        .withKey(key))
                .toList();
        return context.getBean(DelayJobProducer.class).submitAll(requests, request -> Duration.ofDays(1)).stream()
                .map(SubmitResult::outcome)
                .toList();
    }

    @Test
    void theDocumentedProducerSubmitsAndMayDoNothingThatThatDoesNotNeed() throws IOException {
        Set<String> needed = inText(ScriptText.of("submit"));
        needed.addAll(List.of("eval", "evalsha", "ping", "script"));
        assertThat(granted("producer")).isEqualTo(needed);
        try (ConfigurableApplicationContext producer = start("producer", "delayjob.consume=false")) {
            submit(producer, "theirs", Duration.ZERO);
            producer.getBean(DelayJobProducer.class)
                    .submitDelayJob(
                            DelayJobRequest.of(FullFlow.TaskJob.class, new FullFlow.Task(""))
                                    .withDedupe(Dedupe.within("k", Duration.ofSeconds(1))
                                            .replacing()),
                            Duration.ofDays(1));
            assertThat(denied()).isSubsetOf(MAY_BE_DENIED);
            assertThat(producer.getBean("delayjobHealthIndicator", HealthIndicator.class)
                            .health())
                    .extracting(Health::getStatus)
                    .isEqualTo(Status.UP);
            DelayJobAdmin admin = producer.getBean(DelayJobAdmin.class);
            assertThatThrownBy(() -> admin.counts(queue))
                    .isInstanceOf(DelayJobException.class)
                    .hasMessageContaining("NOPERM");
        }
        try (ConfigurableApplicationContext node = start("delayjob")) {
            DelayJobAdmin admin = node.getBean(DelayJobAdmin.class);
            await().atMost(SOON)
                    .until(() -> admin.find(queue, "theirs")
                            .filter(job -> job.state() == JobState.COMPLETED)
                            .isPresent());
        }
    }
}

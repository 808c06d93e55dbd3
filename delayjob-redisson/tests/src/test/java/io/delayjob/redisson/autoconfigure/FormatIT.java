package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.Backoff;
import io.delayjob.Dedupe;
import io.delayjob.DelayJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.SubmitResult;
import io.delayjob.redisson.internal.redis.RawRedis;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.client.codec.StringCodec;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;

/** Promises of docs/compatibility.md about data that other versions left in Redis. */
@RealRedis
class FormatIT {

    private static final Duration SOON = Duration.ofMinutes(2);

    private final String queue = TestApplication.queue();

    @DelayJobName("parcel")
    static class TellingJob implements DelayJob<Parcel> {

        private final Inbox inbox;

        TellingJob(Inbox inbox) {
            this.inbox = inbox;
        }

        @Override
        public void execute(JobExecution<Parcel> execution) {
            Parcel parcel = execution.param();
            inbox.add(parcel.text() + " " + execution.attempt() + " " + execution.headers());
        }
    }

    @Test
    void takesOverWhatVersion1Left() {
        run(context -> {
            load(context, "v1.txt");
            DelayJobAdmin admin = context.getBean(DelayJobAdmin.class);
            assertThat(admin.find(queue, "buried").orElseThrow().lastError()).contains("given up");
            assertThat(admin.find(queue, "done").orElseThrow())
                    .extracting(JobSnapshot::state, JobSnapshot::result)
                    .containsExactly(JobState.COMPLETED, "\"sent\"");
            assertThat(context.getBean(DelayJobProducer.class)
                            .submit(
                                    request("second").withDedupe(Dedupe.untilFinished("reindex-7")),
                                    Duration.ofHours(1)))
                    .extracting(SubmitResult::id, SubmitResult::outcome)
                    .containsExactly("keyed", SubmitResult.Outcome.KEPT);
            assertThat(admin.redrive(queue, "buried").done()).isTrue();
            assertThat(admin.runNow(queue, "keyed").done()).isTrue();
            context.getBean(Inbox.class)
                    .awaitExactly(
                            "plain 1 {}",
                            "options 1 {tenant=acme}",
                            "retried 3 {}",
                            "orphan 2 {}",
                            "buried 1 {}",
                            "keyed 1 {}");
        });
    }

    @Test
    void stillWritesTheRecordOfVersion1() throws IOException {
        String before = lines("v1.txt")
                .filter(line -> line.startsWith("HSET\tjobs\toptions\t"))
                .map(line -> line.split("\t", -1)[3])
                .findFirst()
                .orElseThrow();
        run(context -> {
            context.getBean(DelayJobProducer.class)
                    .submit(
                            request("options")
                                    .withId("options")
                                    .withMaxAttempts(7)
                                    .withBackoff(new Backoff(Duration.ofMillis(5), Duration.ofSeconds(9), 1.5, 0.25))
                                    .withTimeout(Duration.ofSeconds(30))
                                    .withTimeToLive(Duration.ofDays(36500))
                                    .withHeader("tenant", "acme"),
                            Duration.ofHours(1));
            assertThat(record(context, "options").replaceFirst("\"at\":\\d+", "\"at\":1766000000000"))
                    .isEqualTo(before);
        });
    }

    @Tag("proof")
    @Test
    void leavesARecordOfANewerFormatAsItIsUntilANodeUnderstandsIt() {
        String newer =
                "{\"v\":2,\"at\":1766000000000,\"job\":\"parcel\",\"color\":\"new\",\"param\":{\"text\":\"newer\",\"number\":1}}";
        run(context -> {
            RawRedis raw = new RawRedis(TestApplication.redisson(context));
            raw.put(key("jobs"), key("waiting"), "newer", newer);
            await().atMost(SOON)
                    .until(() -> hash(context, "facts")
                            .getOrDefault("newer", "")
                            .matches("token=\\|attempt=0\\|due=1?\\|lease=\\|since=\\d+\\|.*"));
            assertThat(record(context, "newer")).isEqualTo(newer);
            assertThat(context.getBean(DelayJobAdmin.class).counts(queue).dead())
                    .isZero();
            assertThat(context.getBean(Inbox.class).seen()).isEmpty();
            // A node that understands it has it run; here by giving it the format of this one.
            raw.call("HSET", key("jobs"), "newer", newer.replace("\"v\":2", "\"v\":1"));
            context.getBean(Inbox.class).awaitExactly("newer 1 {}");
        });
    }

    @Test
    void readsPastMembersOfARecordThatItDoesNotKnow() {
        String grown =
                "{\"v\":1,\"at\":1766000000000,\"job\":\"parcel\",\"priority\":7,\"max\":5,\"route\":{\"job\":[1,null]},"
                        + "\"param\":{\"text\":\"grown\",\"number\":1},\"since\":\"0.2\"}";
        run(context -> {
            new RawRedis(TestApplication.redisson(context)).put(key("jobs"), key("waiting"), "grown", grown);
            context.getBean(Inbox.class).awaitExactly("grown 1 {}");
        });
    }

    private static DelayJobRequest<Parcel> request(String text) {
        return DelayJobRequest.of(TellingJob.class, new Parcel(text, 2));
    }

    private interface Step {
        void accept(AssertableApplicationContext context) throws IOException;
    }

    private void run(Step step) {
        TestApplication.runner(queue)
                .withBean(TellingJob.class)
                .withPropertyValues("delayjob.no-handler-timeout=10m", "delayjob.retention.time=36500d")
                .run(step::accept);
    }

    private void load(AssertableApplicationContext context, String file) throws IOException {
        RawRedis raw = new RawRedis(TestApplication.redisson(context));
        DelayJobAdmin admin = context.getBean(DelayJobAdmin.class);
        admin.pause(queue);
        lines(file).forEach(line -> {
            String[] words = line.replace('⏎', '\n').split("\t", -1);
            words[1] = key(words[1]);
            raw.call(Arrays.copyOf(words, words.length, Object[].class));
        });
        admin.resume(queue);
    }

    private static Stream<String> lines(String file) throws IOException {
        try (InputStream in = FormatIT.class.getResourceAsStream("/io/delayjob/redisson/format/" + file)) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"));
        }
    }

    private String record(AssertableApplicationContext context, String id) {
        return Objects.requireNonNull(hash(context, "jobs").get(id));
    }

    private Map<String, String> hash(AssertableApplicationContext context, String name) {
        return TestApplication.redisson(context).getMap(key(name), StringCodec.INSTANCE);
    }

    private String key(String name) {
        return "delayjob:{" + queue + ":0}:" + name;
    }
}

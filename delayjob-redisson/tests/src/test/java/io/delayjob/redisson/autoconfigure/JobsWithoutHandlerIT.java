package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.delayjob.DelayJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.JobQuery;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.QueueCounts;
import io.delayjob.testing.RealRedis;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.BatchOptions;
import org.redisson.api.BatchOptions.ExecutionMode;
import org.redisson.api.RBatch;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;

/** Jobs that no node can run end as dead, with reason and record, and others go on. */
@RealRedis
class JobsWithoutHandlerIT {

    private static final String GOOD_PARAM = "{\"text\":\"x\",\"number\":1}";

    private final String queue = TestApplication.queue();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "this is not JSON",
                "{\"v\":1,\"job\":\"cut o",
                "[1,2]",
                "42",
                "{}",
                "{\"v\":0,\"job\":\"x\",\"param\":{}}",
                "{\"v\":1,\"job\":7,\"param\":{}}",
                "{\"v\":1,\"job\":\"x\"}",
                "\u0001\u0002\uD83D\uDE00"
            })
    void buriesARecordThatIsNoneAtOnceAndKeepsItAsItIs(String record) {
        run(context -> {
            store(context, "broken", record);
            JobSnapshot dead = awaitDead(context, "broken");
            assertThat(dead.lastError()).contains("not a delayjob record");
            assertThat(dead.param()).isEqualTo(record);
            assertThat(dead.job()).isNull();
            assertThat(dead.submittedAt()).isNull();
            assertQueueGoesOn(context);
        });
    }

    @Test
    void buriesARecordWithMalformedOptionsAtOnce() {
        String record = "{\"v\":1,\"at\":1,\"job\":\"%s\",\"max\":\"many\",\"param\":%s}"
                .formatted(ParcelJob.class.getName(), GOOD_PARAM);
        run(context -> {
            store(context, "broken", record);
            JobSnapshot dead = awaitDead(context, "broken");
            assertThat(dead.lastError()).contains("options are malformed");
            assertThat(dead.param()).isEqualTo(record);
            assertQueueGoesOn(context);
        });
    }

    @Test
    void buriesAJobWhoseRecordIsMissing() {
        run(context -> {
            RedissonClient redisson = TestApplication.redisson(context);
            redisson.getScoredSortedSet(key("waiting"), StringCodec.INSTANCE).add(1, "lost");
            assertThat(awaitDead(context, "lost").lastError()).contains("the record is missing");
            assertQueueGoesOn(context);
        });
    }

    @Test
    void buriesARecordOfANewerFormatWhenNoNodeUnderstandsItInTime() {
        String record = "{\"v\":99,\"at\":1,\"job\":\"%s\",\"param\":%s,\"color\":\"new\"}"
                .formatted(ParcelJob.class.getName(), GOOD_PARAM);
        run(context -> {
            store(context, "newer", record);
            JobSnapshot dead = awaitDead(context, "newer");
            assertThat(dead.lastError())
                    .contains("record format 99 is newer than this node understands (1)")
                    .contains("no node could read it for PT1S");
            assertThat(dead.param()).isEqualTo(record);
            assertQueueGoesOn(context);
        });
    }

    @Test
    void buriesAJobWhoseBeanNoNodeHasInTime() {
        run(context -> {
            store(context, "unknown", record("com.example.Gone", GOOD_PARAM));
            JobSnapshot dead = awaitDead(context, "unknown");
            assertThat(dead.lastError())
                    .contains("no node has had a handler for 'com.example.Gone' for PT1S", ParcelJob.class.getName());
            assertThat(dead.job()).isEqualTo("com.example.Gone");
            assertThat(dead.param()).isEqualTo(GOOD_PARAM);
            assertThat(dead.headers()).containsOnly(Map.entry("trace", "abc"));
            assertQueueGoesOn(context);
        });
    }

    @Test
    void showsADueJobThatNoNodeHasAHandlerForUnderItsOwnDueTime() {
        run(
                context -> {
                    DelayJobAdmin admin = context.getBean(DelayJobAdmin.class);
                    DelayJobProducer producer = context.getBean(DelayJobProducer.class);
                    Instant due = Instant.now().truncatedTo(ChronoUnit.MILLIS).minusSeconds(400);
                    producer.submitDelayJob(
                            DelayJobRequest.toTopic("misspelt", "a").withId("a"), due);
                    // Now and then it is handed out, to see whether there is a handler.
                    await().untilAsserted(() -> assertThat(admin.list(JobQuery.of(queue, JobState.DELAYED))
                                    .jobs())
                            .singleElement()
                            .returns(due, JobSnapshot::dueAt));
                    assertThat(admin.find(queue, "a").orElseThrow().dueAt()).isEqualTo(due);
                },
                "delayjob.no-handler-timeout=1h");
    }

    @Test
    void neverLoadsAClassThatOnlyARecordNames() {
        run(context -> {
            store(context, "loader", record(Trap.class.getName(), GOOD_PARAM));
            awaitDead(context, "loader");
            assertThat(System.getProperty("delayjob.test.trap")).isNull();
        });
    }

    /** Leaves a trace when it is initialised. */
    static final class Trap {

        static {
            System.setProperty("delayjob.test.trap", "sprung");
        }

        private Trap() {}
    }

    /** Keeps which attempt it is. */
    @DelayJobName("elsewhere")
    static class ElsewhereJob implements DelayJob<Parcel> {

        private final Inbox inbox;

        ElsewhereJob(Inbox inbox) {
            this.inbox = inbox;
        }

        @Override
        public void execute(JobExecution<Parcel> execution) {
            inbox.add(execution.attempt());
        }
    }

    @Test
    void leavesAJobToTheNodeThatHasItsBeanWithoutSpendingAnAttempt() {
        run(
                context -> {
                    store(context, "moved", record("elsewhere", GOOD_PARAM));
                    Map<String, String> facts =
                            TestApplication.redisson(context).getMap(key("facts"), StringCodec.INSTANCE);
                    // Given back, no attempt spent, and since when.
                    await().until(() -> facts.getOrDefault("moved", "")
                            .matches("token=\\|attempt=0\\|due=1?\\|lease=\\|since=\\d+\\|.*"));
                    TestApplication.runner(queue)
                            .withBean(ElsewhereJob.class)
                            .run(other -> other.getBean(Inbox.class).awaitExactly(1));
                    assertThat(context.getBean(DelayJobAdmin.class).find(queue, "moved"))
                            .isEmpty();
                },
                "delayjob.no-handler-timeout=1h");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "\"text\"", "{\"text\":\"x\",\"number\":\"many\"}", "{\"text\":{},\"number\":1}"})
    void buriesAJobWhoseParamDoesNotBind(String param) {
        run(context -> {
            store(context, "unbound", record(ParcelJob.class.getName(), param));
            JobSnapshot dead = awaitDead(context, "unbound");
            assertThat(dead.lastError())
                    .contains("the param does not bind to " + Parcel.class.getName())
                    .contains("of bean 'parcelJob' (" + ParcelJob.class.getName() + ")");
            assertThat(dead.param()).isEqualTo(param);
            assertThat(dead.job()).isEqualTo(ParcelJob.class.getName());
            assertThat(context.getBean(Inbox.class).seen()).isEmpty();
            assertQueueGoesOn(context);
        });
    }

    /** Cannot be made. */
    record Explosive(String text) {

        @JsonCreator
        Explosive {
            throw new NoClassDefFoundError("com/example/Missing");
        }
    }

    static class ExplosiveJob extends KeepingJob<Explosive> {

        ExplosiveJob(Inbox inbox) {
            super(inbox);
        }
    }

    @Test
    void buriesAJobWhoseParamClassIsBroken() {
        TestApplication.runner(queue)
                .withBean(ParcelJob.class)
                .withBean(ExplosiveJob.class)
                .run(context -> {
                    store(context, "explosive", record(ExplosiveJob.class.getName(), "{\"text\":\"boom\"}"));
                    assertThat(awaitDead(context, "explosive").lastError())
                            .contains("the param does not bind to " + Explosive.class.getName())
                            .contains("com/example/Missing");
                    assertQueueGoesOn(context);
                });
    }

    @Test
    void runsABuriedJobAfterARedriveOnceItsRecordIsMended() {
        run(context -> {
            store(context, "mended", "broken");
            awaitDead(context, "mended");
            TestApplication.redisson(context)
                    .getMap(key("jobs"), StringCodec.INSTANCE)
                    .put("mended", record(ParcelJob.class.getName(), GOOD_PARAM));
            assertThat(context.getBean(DelayJobAdmin.class)
                            .redrive(queue, "mended")
                            .done())
                    .isTrue();
            context.getBean(Inbox.class).awaitExactly(new Parcel("x", 1));
        });
    }

    private interface Step {
        void accept(AssertableApplicationContext context);
    }

    private void run(Step step, String... properties) {
        TestApplication.runner(queue)
                .withBean(ParcelJob.class)
                .withPropertyValues("delayjob.no-handler-timeout=1s")
                .withPropertyValues(properties)
                .run(step::accept);
    }

    private static String record(String job, String param) {
        return "{\"v\":1,\"at\":1,\"job\":\"%s\",\"headers\":{\"trace\":\"abc\"},\"param\":%s}".formatted(job, param);
    }

    /** Writes a job that is due as another program would. */
    private void store(AssertableApplicationContext context, String id, String record) {
        RedissonClient redisson = TestApplication.redisson(context);
        // At once: a record that stands in no state is one that a feed buries.
        RBatch batch = redisson.createBatch(BatchOptions.defaults().executionMode(ExecutionMode.IN_MEMORY_ATOMIC));
        batch.getMap(key("jobs"), StringCodec.INSTANCE).fastPutAsync(id, record);
        batch.getScoredSortedSet(key("waiting"), StringCodec.INSTANCE).addAsync(1, id);
        batch.execute();
    }

    private String key(String name) {
        return "delayjob:{" + queue + ":0}:" + name;
    }

    private JobSnapshot awaitDead(AssertableApplicationContext context, String id) {
        DelayJobAdmin admin = context.getBean(DelayJobAdmin.class);
        await().until(() -> admin.find(queue, id).map(JobSnapshot::state).equals(Optional.of(JobState.DEAD)));
        return admin.find(queue, id).orElseThrow();
    }

    private void assertQueueGoesOn(AssertableApplicationContext context) {
        context.getBean(DelayJobProducer.class).submitDelayJob(ParcelJob.class, new Parcel("next", 2), Duration.ZERO);
        context.getBean(Inbox.class).awaitExactly(new Parcel("next", 2));
        await().until(() ->
                context.getBean(DelayJobAdmin.class).counts(queue).equals(new QueueCounts(0, 0, 0, 1, 0, false)));
    }
}

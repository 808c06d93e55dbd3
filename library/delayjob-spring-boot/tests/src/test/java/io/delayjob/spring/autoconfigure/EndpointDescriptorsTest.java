package io.delayjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.Backoff;
import io.delayjob.Dedupe;
import io.delayjob.DelayJobLimits;
import io.delayjob.DelayJobLimits.HeldKey;
import io.delayjob.Explanation.Reason;
import io.delayjob.JobOptions;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.Limits;
import io.delayjob.Progress;
import io.delayjob.QueueCounts;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.ExplanationDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.FleetDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.HereDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.JobDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.KeysDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.LimitsDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.NodeDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.PageDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.QueueDescriptor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Tests which values the descriptors show to an operator. */
class EndpointDescriptorsTest {

    private static final QueueCounts COUNTS = new QueueCounts(1, 2, 3, 4, 5, false);
    private static final Instant THEN = Instant.parse("2026-01-02T03:04:05Z");

    private static final JobSnapshot FULL = new JobSnapshot(
            "orders",
            "a",
            "CloseOrder",
            JobState.RESERVED,
            2,
            THEN,
            THEN,
            THEN,
            THEN,
            "node-1",
            THEN,
            THEN,
            "secret error",
            new Progress(50, "half"),
            "\"secret result\"",
            JobOptions.NONE
                    .withMaxAttempts(10)
                    .withBackoff(Backoff.fixed(Duration.ofSeconds(1)))
                    .withLease(Duration.ofSeconds(9))
                    .withTimeout(Duration.ofSeconds(30))
                    .withTimeToLive(Duration.ofMinutes(1))
                    .withPriority(7)
                    .withDedupe(Dedupe.untilStarted("k"))
                    .withTags(List.of("vip")),
            Map.of("secret", "header"),
            "\"secret param\"");

    private static final JobSnapshot BARE = new JobSnapshot(
            "orders",
            "b",
            null,
            JobState.DELAYED,
            0,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            JobOptions.NONE,
            Map.of(),
            "");

    private static final String SHOWN = ("{'id':'a','job':'CloseOrder','state':'RESERVED','attempt':2,'dueAt':'THEN',"
                    + "'submittedAt':'THEN','startedAt':'THEN','leaseExpiresAt':'THEN','node':'node-1','diedAt':'THEN',"
                    + "'finishedAt':'THEN','progress':{'percent':50,'text':'half'},'maxAttempts':10,"
                    + "'backoff':{'initial':'PT1S','max':'PT1S','multiplier':1.0,'jitter':0.0},'lease':'PT9S','timeout':'PT30S',"
                    + "'timeToLive':'PT1M','priority':7,'dedupe':{'key':'k','scope':'UNTIL_STARTED','mode':'KEEP_FIRST'},'tags':['vip']}")
            .replace("THEN", THEN.toString());

    private static LimitsDescriptor limits(@Nullable Limits set, Limits configured, Map<String, Limits> keys) {
        return LimitsDescriptor.of(new DelayJobLimits("orders", set, configured, keys, List.of(), 0, 0, 0, List.of()));
    }

    /** With single quotes. */
    private static String json(Object descriptor) {
        return JsonMapper.shared().writeValueAsString(descriptor).replace('"', '\'');
    }

    @Test
    void showsOfAJobWhatIsNoSecret() {
        HeldKey held = new HeldKey("customer 42", false, "b", Instant.EPOCH, THEN, 3, 1, List.of("a"), List.of("c"));
        KeysDescriptor keys = new KeysDescriptor(2, 4, List.of("customer 43"), 5, List.of(held));
        LimitsDescriptor limits = limits(null, Limits.NONE.withConcurrency(40), Map.of());
        assertThat(json(new FleetDescriptor(
                        "orders", COUNTS, limits, keys, List.of(), List.of(JobDescriptor.of(FULL)))))
                .isEqualTo(
                        "{'queue':'orders','counts':{'delayed':1,'ready':2,'reserved':3,'dead':4,'finished':5,'paused':false},"
                                + "'limits':{'concurrency':40,'set':false,'keys':{}},"
                                + "'keys':{'held':2,'limitedJobs':4,'paused':['customer 43'],'jobs':5,'longest':[{'key':'customer 42','paused':false,"
                                + "'next':'b','since':'1970-01-01T00:00:00Z','beginsAt':'" + THEN
                                + "','waiting':3,'running':1,'holders':['a'],'dead':['c']}]},"
                                + "'nodes':[],'running':[" + SHOWN + "]}");
        assertThat(json(new PageDescriptor(List.of(JobDescriptor.of(FULL)), "1:2:a")))
                .isEqualTo("{'jobs':[" + SHOWN + "],'next':'1:2:a'}");
        assertThat(json(new ExplanationDescriptor(Reason.RUNNING, "it runs", JobDescriptor.of(FULL))))
                .isEqualTo("{'reason':'RUNNING','text':'it runs','job':" + SHOWN + "}");
    }

    @Test
    void showsLimitsAsTheHttpApiDoes() {
        Limits each = Limits.NONE.withConcurrency(1).withOrder(Limits.Order.STRICT_HOLD);
        Limits set = Limits.NONE
                .withConcurrency(40)
                .withRate(new Limits.Rate(100, Duration.ofSeconds(1), 10))
                .withPerKey(each);
        Map<String, Limits> keys =
                Map.of("b", Limits.NONE.withWeight(3), "a", Limits.NONE.withRate(5, Duration.ofMinutes(1)));
        assertThat(json(limits(set, Limits.NONE.withConcurrency(7), keys)))
                .isEqualTo("{'concurrency':40,'rate':{'permits':100,'per':'PT1S','burst':10},"
                        + "'perKey':{'concurrency':1,'order':'STRICT_HOLD'},'set':true,"
                        + "'keys':{'a':{'rate':{'permits':5,'per':'PT1M','burst':0}},'b':{'weight':3}}}");
        assertThat(json(limits(null, Limits.NONE, Map.of()))).isEqualTo("{'set':false,'keys':{}}");
    }

    @Test
    void leavesOutWhatIsNotThere() {
        assertThat(json(new PageDescriptor(List.of(JobDescriptor.of(BARE)), null)))
                .isEqualTo("{'jobs':[{'id':'b','state':'DELAYED','attempt':0}]}");
        QueueDescriptor silent = new QueueDescriptor(null, null, null, null, "no answer");
        assertThat(json(new NodeDescriptor("node-1", true, Map.of("orders", silent), null)))
                .isEqualTo("{'node':'node-1','consume':true,'queues':{'orders':{'failure':'no answer'}}}");
    }

    @Test
    void namesFaultsAsTheHealthDoes() {
        assertThat(json(new HereDescriptor(4, 3, List.of("no claim"))))
                .isEqualTo("{'workers':4,'free':3,'faults':['no claim']}");
    }
}

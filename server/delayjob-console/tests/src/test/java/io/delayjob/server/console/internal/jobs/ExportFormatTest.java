package io.delayjob.server.console.internal.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.JobOptions;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.Progress;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The exact text of an exported job, by which people's programs read it. */
class ExportFormatTest {

    private static final Redaction REDACTION = new Redaction(List.of("password"));

    private static final JobSnapshot FULL = new JobSnapshot(
            "orders",
            "a",
            "close",
            JobState.DEAD,
            3,
            Instant.parse("2026-01-02T03:04:05Z"),
            Instant.parse("2026-01-02T03:04:05.100Z"),
            Instant.parse("2026-01-02T03:04:06.123Z"),
            Instant.parse("2026-01-02T03:04:07Z"),
            "node-1",
            Instant.parse("2026-01-02T03:04:08Z"),
            Instant.parse("2026-01-02T03:04:09Z"),
            "broke, \"twice\"",
            new Progress(50, "half"),
            "{\"n\":1.50}",
            JobOptions.NONE.withTimeout(Duration.ofSeconds(30)).withPriority(7).withTags(List.of("vip", "customer:42")),
            Map.of("password", "x", "tenant", "t"),
            "{\"password\":1,\"n\":12345678901234567890}");

    private static final JobSnapshot BARE = BareJobs.of("orders", "b", null, JobState.DELAYED, 0, JobOptions.NONE, "");

    @Test
    void aLineOfCsvHasAColumnForEachField() {
        CsvFormat csv = new CsvFormat(REDACTION);
        assertThat(csv.head())
                .isEqualTo(
                        "queue,id,topic,state,attempt,dueAt,submittedAt,startedAt,diedAt,finishedAt,node,lastError,priority,key,tags,"
                                + "headers,param,result,source\r\n");
        assertThat(csv.line(FULL, "redis"))
                .isEqualTo(
                        "orders,a,close,DEAD,3,2026-01-02T03:04:05Z,2026-01-02T03:04:05.100Z,2026-01-02T03:04:06.123Z,"
                                + "2026-01-02T03:04:08Z,2026-01-02T03:04:09Z,node-1,\"broke, \"\"twice\"\"\",7,,vip customer:42,"
                                + "\"{password=•••, tenant=t}\",\"{\"\"password\"\":\"\"•••\"\",\"\"n\"\":12345678901234567890}\","
                                + "\"{\"\"n\"\":1.50}\",redis\r\n");
        assertThat(csv.line(BARE, "journal")).isEqualTo("orders,b,,DELAYED,0,,,,,,,,,,,,,,journal\r\n");
    }

    @Test
    void aLineOfNdjsonLeavesOutWhatTheJobLacks() {
        NdjsonFormat ndjson = new NdjsonFormat(REDACTION);
        assertThat(ndjson.line(FULL, "redis"))
                .isEqualTo(json("{'queue':'orders','id':'a','topic':'close','state':'DEAD','attempt':3,"
                        + "'dueAt':'2026-01-02T03:04:05Z','submittedAt':'2026-01-02T03:04:05.100Z',"
                        + "'startedAt':'2026-01-02T03:04:06.123Z','diedAt':'2026-01-02T03:04:08Z',"
                        + "'finishedAt':'2026-01-02T03:04:09Z','node':'node-1','lastError':'broke, \\'twice\\'',"
                        + "'timeout':'PT30S','priority':7,'tags':['vip','customer:42'],'headers':{'password':'•••','tenant':'t'},"
                        + "'param':{'password':'•••','n':12345678901234567890},'result':{'n':1.50},'source':'redis'}"));
        assertThat(ndjson.line(BARE, "journal"))
                .isEqualTo(
                        json("{'queue':'orders','id':'b','state':'DELAYED','attempt':0,'tags':[],'source':'journal'}"));
    }

    @Test
    void everyFieldOfAJobIsExportedButItsLeaseAndProgress() {
        List<String> fields = Stream.of(JobSnapshot.class.getRecordComponents())
                .map(RecordComponent::getName)
                .filter(name ->
                        !List.of("leaseExpiresAt", "progress", "options").contains(name))
                .map(name -> name.equals("job") ? "topic" : name)
                .toList();
        assertThat(new CsvFormat(REDACTION).head().strip().split(",")).containsAll(fields);
    }

    private static String json(String text) {
        return text.replace('\'', '"') + "\n";
    }
}

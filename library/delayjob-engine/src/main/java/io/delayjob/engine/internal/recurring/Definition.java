package io.delayjob.engine.internal.recurring;

import io.delayjob.DelayJobRequest;
import io.delayjob.DelayJobSchedules;
import io.delayjob.Schedule;
import io.delayjob.engine.internal.records.JobRecord;
import io.delayjob.engine.internal.records.RecordCodec;
import io.delayjob.engine.ledger.JobContent;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stored schedule.
 *
 * @param schedule its name, queue, timing and policies; without param, options and headers, which the job has
 * @param job the job of each occurrence, without the headers of its schedule
 */
record Definition(Schedule schedule, JobRecord job) {

    private static final RecordCodec RECORDS = new RecordCodec();

    /** The text whose hash chooses the shard of the schedule and its occurrences: the key of its jobs, or else its name. */
    String place() {
        String key = job.options().key();
        return key == null ? schedule.name() : key;
    }

    /** The content of the occurrence of an instant. */
    JobContent occurrence(Instant instant) {
        Map<String, String> headers = new HashMap<>(job.headers());
        headers.put(DelayJobSchedules.SCHEDULE_HEADER, schedule.name());
        headers.put(DelayJobSchedules.INSTANT_HEADER, instant.toString());
        return JobContent.of(body(job, headers), job.options());
    }

    /** The record of a job after the ledger's fields. */
    static String body(JobRecord job, Map<String, String> headers) {
        DelayJobRequest<?> request =
                DelayJobRequest.toTopic(job.job()).withOptions(job.options()).withHeaders(headers);
        return RECORDS.body(job.job(), request, job.param(), job.marks());
    }

    /** The schedule with the param, options and headers of its job. */
    Schedule whole(@Nullable Object param) {
        return schedule.withParam(param).withOptions(job.options()).withHeaders(job.headers());
    }
}

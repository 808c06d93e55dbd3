package io.delayjob.server.internal.claims;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.delayjob.ClaimedJob;
import io.delayjob.JobOptions;
import io.delayjob.server.web.View;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The jobs of a claim. */
record ClaimedView(List<ClaimedJobView> jobs) implements View {

    /** A job that was handed out; see {@link ClaimedJob}. */
    record ClaimedJobView(
            String queue,
            String id,
            String topic,
            @JsonRawValue String param,
            Map<String, String> headers,
            int attempt,
            Instant dueAt,
            Instant submittedAt,
            Instant leaseEndsAt,
            @JsonUnwrapped JobOptions options,
            String handle) {

        static ClaimedJobView of(ClaimedJob job) {
            return new ClaimedJobView(
                    job.queue(),
                    job.id(),
                    job.topic(),
                    job.param(),
                    job.headers(),
                    job.attempt(),
                    job.dueAt(),
                    job.submittedAt(),
                    job.leaseEndsAt(),
                    job.options(),
                    job.handle());
        }

        /** Without what may be secret. */
        @Override
        public String toString() {
            return "ClaimedJobView[queue=" + queue + ", id=" + id + ", attempt=" + attempt + "]";
        }
    }

    static ClaimedView of(List<ClaimedJob> jobs) {
        return new ClaimedView(jobs.stream().map(ClaimedJobView::of).toList());
    }
}

package io.delayjob.engine.internal.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobRequest;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.NewJob;
import org.junit.jupiter.api.Test;

class SubmitDigestTest {

    private static final DelayJobRequest<String> REQUEST =
            DelayJobRequest.toTopic("close-order", "x").withHeader("tenant", "a");

    @Test
    void isTheSameThoughItsTraceIsAnother() {
        String first = digest(REQUEST.withHeader("traceparent", "00-1").withHeader("baggage", "a=b"));
        assertThat(digest(REQUEST.withHeader("traceparent", "00-2"))).isEqualTo(first);
        assertThat(digest(REQUEST)).isEqualTo(first);
    }

    @Test
    void isAnotherWithAnotherHeaderOptionParamOrDueTime() {
        String first = digest(REQUEST.withHeader("traceparent", "00-1"));
        assertThat(digest(REQUEST.withHeader("tenant", "b"))).isNotEqualTo(first);
        assertThat(digest(REQUEST.withMaxAttempts(2))).isNotEqualTo(first);
        assertThat(SubmitDigest.of(job(REQUEST, 6, "\"x\""))).isNotEqualTo(first);
        assertThat(SubmitDigest.of(job(REQUEST, 5, "\"y\""))).isNotEqualTo(first);
    }

    @Test
    void tellsNumbersApartThatNoDoubleTellsApart() {
        assertThat(SubmitDigest.of(job(REQUEST, 5, "0.12345678901234567890")))
                .isNotEqualTo(SubmitDigest.of(job(REQUEST, 5, "0.12345678901234567891")));
    }

    @Test
    void whatIsNoRecordIsTheSameOnlyIfItIsEqual() {
        NewJob odd = new NewJob("a", new NewJob.Due(5, true), JobContent.of("{"));
        assertThat(SubmitDigest.of(odd)).isEqualTo(SubmitDigest.of(odd)).isNotEqualTo(digest(REQUEST));
    }

    private static String digest(DelayJobRequest<?> request) {
        return SubmitDigest.of(job(request, 5, "\"x\""));
    }

    private static NewJob job(DelayJobRequest<?> request, long dueMillis, String param) {
        return new NewJob(
                "a",
                new NewJob.Due(dueMillis, true),
                JobContent.of(new RecordCodec().body("close-order", request, param, "")));
    }
}

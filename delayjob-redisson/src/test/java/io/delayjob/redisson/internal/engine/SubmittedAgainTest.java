package io.delayjob.redisson.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobRequest;
import io.delayjob.redisson.internal.ledger.NewJob;
import org.junit.jupiter.api.Test;

class SubmittedAgainTest {

    private static final DelayJobRequest<String> REQUEST =
            DelayJobRequest.toTopic("close-order", "x").withHeader("tenant", "a");

    @Test
    void isTheSameThoughItsTraceIsAnother() {
        NewJob first = job(REQUEST.withHeader("traceparent", "00-1").withHeader("baggage", "a=b"));
        assertThat(SubmittedAgain.same(first, job(REQUEST.withHeader("traceparent", "00-2"))))
                .isTrue();
        assertThat(SubmittedAgain.same(first, job(REQUEST))).isTrue();
        assertThat(SubmittedAgain.same(job(REQUEST), first)).isTrue();
    }

    @Test
    void isAnotherWithAnotherHeaderParamOrDueTime() {
        NewJob first = job(REQUEST.withHeader("traceparent", "00-1"));
        assertThat(SubmittedAgain.same(first, job(REQUEST.withHeader("tenant", "b"))))
                .isFalse();
        assertThat(SubmittedAgain.same(first, job(REQUEST.withMaxAttempts(2)))).isFalse();
        assertThat(SubmittedAgain.same(first, new NewJob("a", new NewJob.Due(6, true), null, null, first.body())))
                .isFalse();
    }

    @Test
    void whatIsNoRecordIsTheSameOnlyIfItIsEqual() {
        NewJob odd = new NewJob("a", new NewJob.Due(5, true), null, null, "{");
        assertThat(SubmittedAgain.same(odd, odd)).isTrue();
        assertThat(SubmittedAgain.same(odd, job(REQUEST))).isFalse();
    }

    private static NewJob job(DelayJobRequest<?> request) {
        return new NewJob(
                "a", new NewJob.Due(5, true), null, null, new RecordCodec().body("close-order", request, "\"x\""));
    }
}

package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.delayjob.DelayJobRequestTest.Greeting;
import io.delayjob.JobSubmissionException.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The methods that the interface itself implements. */
class DelayJobProducerTest {

    private static final DelayJobRequest<String> REQUEST =
            DelayJobRequest.of(Greeting.class, "world").withId("greet");
    private static final Instant NEW_YEAR = Instant.parse("2027-01-01T00:00:00Z");

    private final Recorder producer = new Recorder();

    /** One submit that reached the producer; {@code when} is a delay or a due time. */
    private record Submitted(DelayJobRequest<?> request, Object when) {}

    private static final class Recorder implements DelayJobProducer {

        private final List<Submitted> submitted = new ArrayList<>();
        private CompletableFuture<SubmitResult> answer =
                CompletableFuture.completedFuture(new SubmitResult("default", "id-0", SubmitResult.Outcome.STORED));

        @Override
        public <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Duration delay) {
            submitted.add(new Submitted(request, delay));
            return answer;
        }

        @Override
        public <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Instant dueAt) {
            submitted.add(new Submitted(request, dueAt));
            return answer;
        }

        @Override
        public CompletableFuture<List<SubmitResult>> submitAllAsync(
                Collection<? extends DelayJobRequest<?>> requests,
                Function<? super DelayJobRequest<?>, Duration> delay) {
            requests.forEach(request -> submitted.add(new Submitted(request, delay.apply(request))));
            return answer.thenApply(result -> IntStream.range(0, requests.size())
                    .mapToObj(i -> new SubmitResult("default", "id-" + i, result.outcome()))
                    .toList());
        }

        @Override
        public CompletableFuture<List<SubmitResult>> submitAllAtAsync(
                Collection<? extends DelayJobRequest<?>> requests,
                Function<? super DelayJobRequest<?>, Instant> dueAt) {
            requests.forEach(request -> submitted.add(new Submitted(request, dueAt.apply(request))));
            return answer.thenApply(result -> Collections.nCopies(requests.size(), result));
        }
    }

    @Test
    void saysWhatEachOfManySubmitsLedTo() {
        producer.answer =
                CompletableFuture.completedFuture(new SubmitResult("default", "any", SubmitResult.Outcome.EXISTS));
        List<DelayJobRequest<String>> two = List.of(REQUEST.withId("a"), REQUEST.withId("b"));
        assertThat(producer.submitAll(two, Duration.ofSeconds(5)))
                .extracting(SubmitResult::outcome)
                .containsExactly(SubmitResult.Outcome.EXISTS, SubmitResult.Outcome.EXISTS);
        assertThat(producer.submitAllAt(two, request -> NEW_YEAR)).hasSize(2);
        assertThat(producer.submitted)
                .containsExactly(
                        new Submitted(REQUEST.withId("a"), Duration.ofSeconds(5)),
                        new Submitted(REQUEST.withId("b"), Duration.ofSeconds(5)),
                        new Submitted(REQUEST.withId("a"), NEW_YEAR),
                        new Submitted(REQUEST.withId("b"), NEW_YEAR));
    }

    @Test
    void submitsAPayloadToATopic() {
        producer.submitDelayJob("greet", "a", 30, TimeUnit.MINUTES);
        producer.submitDelayJob("greet", "b", Duration.ofSeconds(5));
        producer.submitDelayJob("greet", "c", NEW_YEAR);
        assertThat(producer.submitted)
                .containsExactly(
                        new Submitted(DelayJobRequest.toTopic("greet", "a"), Duration.ofMinutes(30)),
                        new Submitted(DelayJobRequest.toTopic("greet", "b"), Duration.ofSeconds(5)),
                        new Submitted(DelayJobRequest.toTopic("greet", "c"), NEW_YEAR));
    }

    @Test
    void saysWhatASubmitLedTo() {
        producer.answer =
                CompletableFuture.completedFuture(new SubmitResult("default", "first", SubmitResult.Outcome.KEPT));
        assertThat(producer.submit(REQUEST, Duration.ZERO))
                .isEqualTo(new SubmitResult("default", "first", SubmitResult.Outcome.KEPT));
        assertThat(producer.submit(REQUEST, NEW_YEAR).id()).isEqualTo("first");
        assertThat(producer.submitDelayJob(REQUEST, Duration.ZERO)).isEqualTo("first");
    }

    @Test
    void submitsAClassAndParamAfterADelayInAUnit() {
        assertThat(producer.submitDelayJob(Greeting.class, "world", 30, TimeUnit.MINUTES))
                .isEqualTo("id-0");
        assertThat(producer.submitted)
                .containsExactly(new Submitted(DelayJobRequest.of(Greeting.class, "world"), Duration.ofMinutes(30)));
    }

    @Test
    void submitsAClassAndParamAfterADurationOrAtATime() {
        producer.submitDelayJob(Greeting.class, "a", Duration.ofSeconds(5));
        producer.submitDelayJob(Greeting.class, "b", NEW_YEAR);
        assertThat(producer.submitted)
                .containsExactly(
                        new Submitted(DelayJobRequest.of(Greeting.class, "a"), Duration.ofSeconds(5)),
                        new Submitted(DelayJobRequest.of(Greeting.class, "b"), NEW_YEAR));
    }

    @Test
    void submitsARequestAsItIs() {
        producer.submitDelayJob(REQUEST, 7, TimeUnit.MICROSECONDS);
        producer.submitDelayJob(REQUEST, Duration.ofDays(1));
        producer.submitDelayJob(REQUEST, NEW_YEAR);
        assertThat(producer.submitted)
                .containsExactly(
                        new Submitted(REQUEST, Duration.ofNanos(7000)),
                        new Submitted(REQUEST, Duration.ofDays(1)),
                        new Submitted(REQUEST, NEW_YEAR));
    }

    @Test
    void submitsManyParamsOfOneClass() {
        assertThat(producer.submitDelayJobs(Greeting.class, List.of("a", "b"), 2, TimeUnit.HOURS))
                .containsExactly("id-0", "id-1");
        assertThat(producer.submitted)
                .containsExactly(
                        new Submitted(DelayJobRequest.of(Greeting.class, "a"), Duration.ofHours(2)),
                        new Submitted(DelayJobRequest.of(Greeting.class, "b"), Duration.ofHours(2)));
    }

    @Test
    void submitsManyRequestsWithOneDelayOrEachWithItsOwn() {
        List<DelayJobRequest<String>> requests = List.of(REQUEST, REQUEST.withMaxAttempts(9));
        producer.submitDelayJobs(requests, Duration.ofSeconds(1));
        producer.submitDelayJobs(
                requests, request -> Duration.ofSeconds(request.options().maxAttempts() == null ? 2 : 3));
        assertThat(producer.submitted)
                .extracting(Submitted::when)
                .containsExactly(
                        Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3));
    }

    @Test
    void refusesBadValuesBeforeAnythingIsSubmitted() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> producer.submitDelayJob(Greeting.class, "world", -1, TimeUnit.SECONDS))
                .withMessage("delay must not be negative: -1 SECONDS");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> producer.submitDelayJob(REQUEST, Long.MAX_VALUE, TimeUnit.DAYS))
                .withMessageContaining("year 9999: " + Long.MAX_VALUE + " DAYS");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        producer.submitDelayJob(Greeting.class, "world", 1, Unchecked.nullInsteadOf(TimeUnit.DAYS)))
                .withMessage("unit must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> producer.submitDelayJobs(
                        Greeting.class, Unchecked.nullInsteadOf(List.of("a")), 1, TimeUnit.SECONDS))
                .withMessage("params must not be null");
        assertThat(producer.submitted).isEmpty();
    }

    @Test
    void throwsTheSubmissionsOwnExceptionAndShowsWhereItWasSubmitted() {
        JobSubmissionException refused = new JobSubmissionException(
                "orders", List.of("greet"), Outcome.NOT_STORED, new IllegalStateException("OOM"));
        producer.answer = CompletableFuture.failedFuture(refused);
        JobSubmissionException thrown = catchThrowableOfType(JobSubmissionException.class, () -> submitHere(producer));
        assertThat(thrown).isSameAs(refused);
        assertThat(thrown.getSuppressed())
                .singleElement()
                .satisfies(here -> assertThat(here.getStackTrace())
                        .extracting(StackTraceElement::getMethodName)
                        .contains("submitHere"));
    }

    private static void submitHere(DelayJobProducer producer) {
        producer.submitDelayJob(REQUEST, Duration.ZERO);
    }

    @Test
    void unwrapsTheExceptionOfManyJobsFromAllStagesBehindTheSubmit() {
        JobSubmissionException lost = new JobSubmissionException(
                "orders", List.of("a", "b"), Outcome.UNKNOWN, new IllegalStateException("timeout"));
        producer.answer = CompletableFuture.failedFuture(lost);
        assertThatExceptionOfType(JobSubmissionException.class)
                .isThrownBy(() -> producer.submitDelayJobs(List.of(REQUEST), Duration.ZERO))
                .isSameAs(lost);
    }

    @Test
    void keepsTheWrapperOfAFailureThatIsNotDelayjobs() {
        IOException cause = new IOException("not ours");
        producer.answer = CompletableFuture.failedFuture(cause);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> producer.submitDelayJob(REQUEST, Duration.ZERO))
                .withCause(cause);
    }
}

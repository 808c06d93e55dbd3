package io.delayjob.demo.web;

import io.delayjob.DelayJobRequest;
import io.delayjob.demo.job.Behaviour;
import io.delayjob.demo.job.ParamDTO;
import io.delayjob.demo.job.TestDelayJob;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A {@link SubmitForm} whose values are good. */
record Submission(ParamDTO param, @Nullable String id, Delay delay, Behaviour behaviour) {

    private static final long OLDEST = 999;
    private static final long LONGEST_SLEEP_MILLIS = Duration.ofMinutes(10).toMillis();
    private static final long MOST_FAILURES = 1000;

    static Submission of(SubmitForm form) {
        return new Submission(param(form), Parameters.id(form.id()), Delay.of(form), behaviour(form));
    }

    private static ParamDTO param(SubmitForm form) {
        Integer age =
                Parameters.number("age", form.age(), OLDEST).map(Long::intValue).orElse(null);
        return new ParamDTO(Parameters.text("name", form.name()), age);
    }

    private static Behaviour behaviour(SubmitForm form) {
        return new Behaviour(
                Parameters.number("sleepMillis", form.sleepMillis(), LONGEST_SLEEP_MILLIS)
                        .orElse(0L),
                Parameters.number("fail", form.fail(), MOST_FAILURES).orElse(0L).intValue());
    }

    DelayJobRequest<ParamDTO> toRequest() {
        DelayJobRequest<ParamDTO> request =
                DelayJobRequest.of(TestDelayJob.class, param).withHeaders(behaviour.toHeaders());
        return id == null ? request : request.withId(id);
    }
}

package io.delayjob.spring.observation;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobRequest;
import io.delayjob.SubmitResult;
import io.delayjob.spring.observation.DelayJobObservation.ObservationKey;
import io.micrometer.common.KeyValues;
import java.util.List;
import java.util.Locale;

/** Observations of submits as OpenTelemetry has it for messaging: {@code delayjob.send}, with the keys of {@link DelayJobObservation}. */
public class DefaultJobSubmitConvention implements JobSubmitConvention {

    /** The default. */
    public DefaultJobSubmitConvention() {}

    @Override
    public String getName() {
        return "delayjob.send";
    }

    @Override
    public String getContextualName(JobSubmitContext context) {
        return "submit " + context.queue();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(JobSubmitContext context) {
        return KeyValues.of(
                ObservationKey.SYSTEM.withValue("delayjob"),
                ObservationKey.OPERATION_TYPE.withValue("send"),
                ObservationKey.OPERATION_NAME.withValue("submit"),
                ObservationKey.QUEUE.withValue(context.queue()));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(JobSubmitContext context) {
        List<DelayJobRequest<?>> requests = context.requests();
        return requests.size() == 1
                ? ofOne(requests.get(0), context.results())
                : KeyValues.of(ObservationKey.COUNT.withValue(Integer.toString(requests.size())));
    }

    private static KeyValues ofOne(DelayJobRequest<?> request, List<SubmitResult> results) {
        KeyValues known = KeyValues.of(ObservationKey.JOB.withValue(job(request)));
        if (!results.isEmpty()) {
            SubmitResult result = results.get(0);
            String outcome = result.outcome().name().toLowerCase(Locale.ROOT);
            return known.and(ObservationKey.ID.withValue(result.id()), ObservationKey.OUTCOME.withValue(outcome));
        }
        return request.id() == null ? known : known.and(ObservationKey.ID.withValue(request.id()));
    }

    private static String job(DelayJobRequest<?> request) {
        Class<? extends DelayJob<?>> jobClass = request.jobClass();
        return jobClass == null ? String.valueOf(request.topic()) : jobClass.getName();
    }
}

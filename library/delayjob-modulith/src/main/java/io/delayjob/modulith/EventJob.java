package io.delayjob.modulith;

import io.delayjob.DelayJobRequest;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.expression.Expression;
import org.springframework.expression.ParserContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import org.springframework.util.StringValueResolver;

/**
 * The job that events of a class become.
 *
 * @param queue null for the one of the topic
 * @param delay gives a duration, or text that is one
 * @param id null for the identifier of the publication
 */
record EventJob(
        String topic,
        @Nullable String queue,
        Expression delay,
        @Nullable Expression id) {

    /** Calls and properties of the event, and nothing else: no types, no beans. */
    private static final SimpleEvaluationContext EVENT = SimpleEvaluationContext.forReadOnlyDataBinding()
            .withInstanceMethods()
            .build();

    /**
     * The job that an annotation describes.
     *
     * @param placeholders resolves {@code ${…}}
     */
    static EventJob of(DelayJobExternalized stated, StringValueResolver placeholders) {
        String queue = resolved(stated.queue(), placeholders);
        String id = resolved(stated.id(), placeholders);
        return new EventJob(
                resolved(stated.topic(), placeholders),
                queue.isEmpty() ? null : queue,
                expression(resolved(stated.delay(), placeholders)),
                id.isEmpty() ? null : expression(id));
    }

    private static String resolved(String text, StringValueResolver placeholders) {
        return Objects.requireNonNull(placeholders.resolveStringValue(text), text);
    }

    private static Expression expression(String text) {
        return new SpelExpressionParser().parseExpression(text, ParserContext.TEMPLATE_EXPRESSION);
    }

    /** The request for one event. It never waits for a commit: it is made after one. */
    DelayJobRequest<Object> request(Object event, UUID publication) {
        DelayJobRequest<Object> request = DelayJobRequest.<Object>toTopic(topic, event)
                .withId(id == null ? publication.toString() : String.valueOf(id.getValue(EVENT, event)))
                .withAfterCommit(false);
        return queue == null ? request : request.withQueue(queue);
    }

    Duration delay(Object event) {
        Object value = delay.getValue(EVENT, event);
        return Checks.delay(
                value instanceof Duration duration ? duration : DurationStyle.detectAndParse(String.valueOf(value)));
    }
}

package io.delayjob.delivery.internal.broker;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobOptions;
import io.delayjob.support.Checks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lets messages with a delay wait in the ledger: they become jobs. */
public final class DelayedSends {

    private final String header;
    private final Supplier<DelayJobProducer> producer;

    /**
     * Sends with a delay.
     *
     * @param header the name of the header that has the delay
     */
    public DelayedSends(String header, Supplier<DelayJobProducer> producer) {
        this.header = header;
        this.producer = producer;
    }

    /** The name of the header that has the delay. */
    public String header() {
        return header;
    }

    /**
     * The delay that a header has.
     *
     * @param value milliseconds as a number or text, or a duration such as {@code PT30S}; null if there is no such header
     * @return null if the message is to go at once
     * @throws IllegalArgumentException if it is neither, or negative
     */
    public @Nullable Duration delay(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        String text = value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : value.toString();
        Duration delay = parsed(text.strip());
        if (delay.isNegative()) {
            throw malformed(text, null);
        }
        return delay.isZero() ? null : delay;
    }

    private Duration parsed(String text) {
        try {
            return text.startsWith("P") ? Duration.parse(text) : Duration.ofMillis(Long.parseLong(text));
        } catch (NumberFormatException | DateTimeParseException e) {
            throw malformed(text, e);
        }
    }

    private IllegalArgumentException malformed(String text, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "header '" + header + "' must be milliseconds, or a duration such as PT30S: " + Checks.shown(text)
                        + "; the message was not sent",
                cause);
    }

    /**
     * Lets a message wait. Returns when it is stored, or, in a transaction whose submits wait for its commit, at once.
     *
     * @return the id of its job
     */
    public String submit(DelayedMessage message, Duration delay) {
        return submit(message, delay, JobOptions.USUAL_PRIORITY);
    }

    /**
     * The same with a priority among the messages that are due.
     *
     * @throws IllegalArgumentException if it is not 0 to 9
     */
    public String submit(DelayedMessage message, Duration delay, int priority) {
        DelayJobRequest<DelayedMessage> request = DelayJobRequest.of(DelayedMessageJob.class, message);
        return producer.get()
                .submitDelayJob(
                        priority == JobOptions.USUAL_PRIORITY ? request : request.withPriority(priority), delay);
    }
}

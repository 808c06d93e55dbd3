package io.delayjob.delivery.internal.http;

import io.delayjob.delivery.spi.DeliveryOutcome;
import io.delayjob.support.Checks;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** HTTP response of a target. */
final class HttpAnswer {

    /** How much of a body is read. */
    static final int MOST_BYTES = 8192;

    private static final int LONGEST_RESULT = 8192;

    /** So short that it fits as JSON however it has to be escaped. */
    private static final int LONGEST_TEXT = 1000;

    private static final int LONGEST_ERROR = 500;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final URI target;
    private final int status;
    private final HttpHeaders headers;
    private final byte[] start;

    /**
     * An answer.
     *
     * @param start the first bytes of the body
     */
    HttpAnswer(URI target, int status, HttpHeaders headers, byte[] start) {
        this.target = target;
        this.status = status;
        this.headers = headers;
        this.start = start;
    }

    DeliveryOutcome outcome(Duration mostRetryAfter) {
        if (status >= 200 && status < 300) {
            return new DeliveryOutcome.Delivered(result());
        }
        String what = "HTTP " + status + " of " + place(target) + body();
        if (status >= 300 && status < 400) {
            return new DeliveryOutcome.Refused("redirects are not followed: " + what);
        }
        if (status == 410) {
            return new DeliveryOutcome.Gone(what);
        }
        if (status == 429 || status == 503) {
            Optional<Duration> delay = RetryAfter.of(headers.get("retry-after"), answered(), mostRetryAfter);
            if (delay.isPresent()) {
                return new DeliveryOutcome.RetryAfter(delay.get(), what);
            }
        }
        return status >= 500 || status == 408 || status == 425 || status == 429
                ? new DeliveryOutcome.Failed(what)
                : new DeliveryOutcome.Refused(what);
    }

    /** By the target's own clock, if it says so. */
    private Instant answered() {
        return RetryAfter.date(headers.get("date")).orElseGet(Instant::now);
    }

    private String body() {
        String text = new String(start, StandardCharsets.UTF_8).strip();
        return text.isEmpty() ? "" : ": " + cut(text, LONGEST_ERROR);
    }

    private String result() {
        ObjectNode result = JSON.createObjectNode().put("status", status);
        String text = new String(start, StandardCharsets.UTF_8);
        if (!text.isBlank()) {
            try {
                result.set("body", JSON.readTree(text));
            } catch (JacksonException e) {
                result.put("body", text);
            }
        }
        String json = JSON.writeValueAsString(result);
        if (!Checks.isWhole(json)) {
            // An escape of half a character, which a stored result must not have: the text has it as an escape.
            json = JSON.writeValueAsString(result.put("body", text));
        }
        return json.getBytes(StandardCharsets.UTF_8).length <= LONGEST_RESULT
                ? json
                : JSON.writeValueAsString(result.put("body", cut(text, LONGEST_TEXT)));
    }

    private static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + "…";
    }

    /** A target in messages: without its query, which may be secret. */
    static String place(URI target) {
        String path = target.getRawPath();
        return target.getScheme() + "://" + target.getRawAuthority() + (path == null ? "" : path)
                + (target.getRawQuery() == null ? "" : "?…");
    }

    /** There was no answer. */
    static DeliveryOutcome failed(URI target, Throwable failure, Duration timeout) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof ClosedAddressException closed) {
            return new DeliveryOutcome.Refused(place(target) + " was not called: " + closed.getMessage());
        }
        return new DeliveryOutcome.Failed(place(target)
                + (cause instanceof TimeoutException
                        ? " did not answer within " + timeout
                        : " could not be called: " + cause.getClass().getSimpleName() + ": " + cause.getMessage()));
    }
}
